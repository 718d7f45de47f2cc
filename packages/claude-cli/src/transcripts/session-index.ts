// The list of all sessions the program has stored, newest first. Reads nothing before it is asked, then only what the
// requested page needs, and afterwards only what was appended.
import { archiveSession, deleteSession, renameSession } from './edit-session.ts';
import { type IndexCache, MemoryIndexCache } from './index-cache.ts';
import { KnownSessions, type SessionChange } from './known-sessions.ts';
import { ProjectWatcher, type ProjectWatcherOptions } from './project-watcher.ts';
import { type ScannedFile, scanProjects, stampOf, type UnreadableFolder } from './scan-projects.ts';
import {
  compareKeys,
  fromCursor,
  type ListKey,
  type ListOptions,
  matcher,
  type SessionPage,
  toCursor,
} from './session-list.ts';
import { entryOf, type SessionEntry } from './session-record.ts';
import { TimeSlices } from './time-slices.ts';

export interface SessionIndexOptions {
  /** The program's `projects` folder, see projectsRoot. It may not exist yet. */
  readonly root: string;
  readonly cache?: IndexCache;
  /** Follow changes from the first use on. Without it, each use looks for changes. */
  readonly watch?: boolean | Omit<ProjectWatcherOptions, 'root' | 'onDirty'>;
  /** Gets errors that do not stop the index: an unreadable file or folder, a failing cache or listener. */
  readonly onError?: (error: unknown) => void;
}

export interface SessionFile {
  readonly file: string;
  readonly size: number;
}

const DEFAULT_LIMIT = 50;
/** How long a scan counts as recent without a watcher. */
const SCAN_AGE_MS = 1_000;

export class SessionIndex {
  readonly #options: SessionIndexOptions;
  readonly #sessions: KnownSessions;
  readonly #listeners = new Set<(change: SessionChange) => void>();
  #firstScan: Promise<void> | undefined;
  #rescan: Promise<void> = Promise.resolve();
  #nextRescan: Promise<void> | undefined;
  #scannedAt = 0;
  #unreadable: readonly UnreadableFolder[] = [];
  #watcher: ProjectWatcher | undefined;
  #closed = false;

  constructor(options: SessionIndexOptions) {
    this.#options = options;
    this.#sessions = new KnownSessions(options.cache ?? new MemoryIndexCache(), {
      onChange: (change) => this.#publish(change),
      onError: (error) => options.onError?.(error),
    });
  }

  /** One page of the list. Throws a TypeError for an invalid cursor. */
  async list(options: ListOptions = {}): Promise<SessionPage> {
    const {
      limit = DEFAULT_LIMIT,
      project,
      accept,
      isAlwaysListed,
      includeRelated,
      archived,
      signal,
    } = options;
    const from = options.cursor === undefined ? undefined : fromCursor(options.cursor);
    const matches = matcher(options.search);
    await this.#update(signal);

    const slices = new TimeSlices(signal);
    const firstMessages = new Set<string>();
    const sessions: SessionEntry[] = [];
    let last: ListKey | undefined;
    for (const known of this.#sessions.sorted) {
      if (slices.isUp) await slices.next();
      if (project !== undefined && known.found.project !== project) continue;
      if (accept?.(known.sessionId) === false) continue;
      const record = this.#sessions.has(known) ? this.#sessions.fresh(known) : undefined;
      if (!record || record.facts.isSidechain === true) continue;
      const first = record.facts.firstUserMessageUuid;
      if (first !== undefined && includeRelated !== true && isAlwaysListed?.(known.sessionId) !== true) {
        if (firstMessages.has(first)) continue;
        firstMessages.add(first);
      }
      if (from && compareKeys(known, from) <= 0) continue;
      const entry = entryOf(record);
      if (entry.titleSource === 'none' || !matches(entry)) continue;
      if (archived !== undefined && entry.archived !== archived) continue;
      if (sessions.length >= limit) {
        void this.#sessions.save();
        return { sessions, next: last && toCursor(last), unreadable: this.#unreadable };
      }
      sessions.push(entry);
      last = { mtimeMs: known.mtimeMs, sessionId: known.sessionId };
    }
    void this.#sessions.save();
    return { sessions, next: undefined, unreadable: this.#unreadable };
  }

  async get(sessionId: string): Promise<SessionEntry | undefined> {
    await this.#update();
    const known = this.#sessions.sorted.find((session) => session.sessionId === sessionId);
    const record = known && this.#sessions.fresh(known);
    return record && entryOf(record);
  }

  /** The transcripts of all sessions, newest first, for full text search. */
  async files(signal?: AbortSignal): Promise<readonly string[]> {
    await this.#update(signal);
    return this.#sessions.sorted.map((known) => known.found.file);
  }

  /** Like `files`, with sizes, for a full text index. */
  async sizes(signal?: AbortSignal): Promise<readonly SessionFile[]> {
    await this.#update(signal);
    return this.#sessions.sorted.map(({ found, stamp }) => ({ file: found.file, size: stamp.size }));
  }

  /** Reports changes once the index has been used. Returns a function that stops listening. */
  onChange(listener: (change: SessionChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Checks all files again and reads those that changed. */
  async refresh(): Promise<void> {
    await this.#ready();
    // A scan that is already running may have missed the latest changes, so this waits for the next one.
    this.#nextRescan ??= this.#rescan
      .catch(() => undefined)
      .then(() => {
        this.#nextRescan = undefined;
        this.#rescan = this.#scanAgain();
        return this.#rescan;
      });
    await this.#nextRescan;
  }

  /** Renames a session as the program would. Undefined if there is no such session. */
  rename(sessionId: string, title: string): Promise<SessionEntry | undefined> {
    return this.#edit(sessionId, async (file) => {
      await renameSession(file, title);
    });
  }

  archive(sessionId: string, archived: boolean): Promise<SessionEntry | undefined> {
    return this.#edit(sessionId, (file) => archiveSession(file, archived));
  }

  /** Deletes the transcript and the folder next to it. False if there is no such session. */
  async delete(sessionId: string): Promise<boolean> {
    const entry = await this.get(sessionId);
    if (!entry) return false;
    await deleteSession(entry.file);
    this.#check([entry.file]);
    return true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watcher?.close();
    this.#listeners.clear();
    await this.#sessions.save();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** A failing listener must not stop the others or the index. */
  #publish(change: SessionChange): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#options.onError?.(error);
      }
    }
  }

  async #edit(sessionId: string, change: (file: string) => Promise<void>): Promise<SessionEntry | undefined> {
    const entry = await this.get(sessionId);
    if (!entry) return undefined;
    await change(entry.file);
    this.#check([entry.file]);
    return this.get(sessionId);
  }

  async #update(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await this.#ready();
    if (this.#watcher?.isWatching) this.#watcher.flush();
    else if (performance.now() - this.#scannedAt > SCAN_AGE_MS) await this.refresh();
    signal?.throwIfAborted();
  }

  #ready(): Promise<void> {
    this.#firstScan ??= this.#scanFirst();
    return this.#firstScan;
  }

  async #scanFirst(): Promise<void> {
    const cached = await this.#sessions.loadCached();
    if (this.#closed) return;
    // Watching starts before the scan, so that no change falls between the two.
    this.#startWatching();
    const slices = new TimeSlices();
    for (const { found, hasSideFolder } of this.#scan()) {
      if (slices.isUp) await slices.next();
      const stamp = stampOf(found.file, hasSideFolder);
      if (!stamp) continue;
      this.#sessions.add(found, stamp, cached.get(found.file));
      cached.delete(found.file);
    }
    this.#sessions.dropCached(cached.keys());
    this.#scannedAt = performance.now();
  }

  /** Reports a folder that cannot be read once, until it can be read again. */
  *#scan(): Generator<ScannedFile> {
    const { root, onError } = this.#options;
    const unreadable: UnreadableFolder[] = [];
    yield* scanProjects(root, (found) => unreadable.push(found));
    const known = new Set(this.#unreadable.map(({ folder }) => folder));
    this.#unreadable = unreadable;
    for (const { folder, reason } of unreadable) {
      if (!known.has(folder)) onError?.(new Error(`The folder ${folder} cannot be read: ${reason}.`));
    }
  }

  #startWatching(): void {
    const { watch, root } = this.#options;
    if (watch === undefined || watch === false) return;
    this.#watcher = new ProjectWatcher({
      ...(watch === true ? {} : watch),
      root,
      onDirty: ({ files, everything }) => {
        this.#check(files);
        if (everything) this.refresh().catch((error: unknown) => this.#options.onError?.(error));
      },
    });
  }

  async #scanAgain(): Promise<void> {
    const slices = new TimeSlices();
    const unseen = new Set(this.#sessions.files);
    for (const { found, hasSideFolder } of this.#scan()) {
      if (slices.isUp) await slices.next();
      if (this.#closed) return;
      unseen.delete(found.file);
      this.#compare(found.file, hasSideFolder);
    }
    for (const file of unseen) this.#compare(file, true);
    this.#scannedAt = performance.now();
    await this.#sessions.save();
  }

  #check(files: readonly string[]): void {
    for (const file of files) this.#compare(file, true);
    void this.#sessions.save();
  }

  #compare(file: string, hasSideFolder: boolean): void {
    if (this.#closed) return;
    this.#sessions.compare(file, stampOf(file, hasSideFolder), this.#listeners.size > 0);
  }
}
