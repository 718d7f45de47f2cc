// The sessions that an index knows: the stamp of each file, and its record once it was read. Decides when to read a
// file, reports what changed, and passes new records to the cache.
import { basename, dirname } from 'node:path';
import type { IndexCache } from './index-cache.ts';
import { sessionIdOf } from './location.ts';
import { type FoundFile, readRecord } from './read-record.ts';
import { compareKeys } from './session-list.ts';
import {
  entryOf,
  type FileStamp,
  RECORD_VERSION,
  type SessionEntry,
  type SessionRecord,
  sameStamp,
} from './session-record.ts';

export type SessionChange =
  | { readonly kind: 'added'; readonly entry: SessionEntry }
  | { readonly kind: 'removed'; readonly sessionId: string; readonly file: string }
  | {
      readonly kind: 'changed';
      readonly entry: SessionEntry;
      /** `content` for any growth; `title` and `archived` only if they differ from before. */
      readonly what: readonly ('content' | 'title' | 'archived')[];
    };

export interface KnownSession {
  readonly found: FoundFile;
  readonly sessionId: string;
  /** Position in the list. */
  mtimeMs: number;
  stamp: FileStamp;
  /** The last record that was read; fresh if it has the stamp above. */
  record: SessionRecord | undefined;
  unreadable: boolean;
}

interface Callbacks {
  readonly onChange: (change: SessionChange) => void;
  readonly onError: (error: unknown) => void;
}

export class KnownSessions {
  readonly #cache: IndexCache;
  readonly #callbacks: Callbacks;
  readonly #byFile = new Map<string, KnownSession>();
  readonly #unsaved = new Map<string, SessionRecord>();
  readonly #removed = new Set<string>();
  #order: readonly KnownSession[] | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(cache: IndexCache, callbacks: Callbacks) {
    this.#cache = cache;
    this.#callbacks = callbacks;
  }

  /** Newest first. */
  get sorted(): readonly KnownSession[] {
    this.#order ??= [...this.#byFile.values()].sort(compareKeys);
    return this.#order;
  }

  get files(): Iterable<string> {
    return this.#byFile.keys();
  }

  has(known: KnownSession): boolean {
    return this.#byFile.get(known.found.file) === known;
  }

  /** The cached records by file. A failing cache only costs time. */
  async loadCached(): Promise<Map<string, SessionRecord>> {
    const cached = new Map<string, SessionRecord>();
    try {
      for (const record of await this.#cache.load()) {
        if (record.version === RECORD_VERSION) cached.set(record.file, record);
      }
    } catch (error) {
      this.#callbacks.onError(error);
    }
    return cached;
  }

  /** Adds a file of the first scan without reporting a change. */
  add(found: FoundFile, stamp: FileStamp, record?: SessionRecord): KnownSession {
    const { mtimeMs } = stamp;
    const known = { found, sessionId: found.sessionId, mtimeMs, stamp, record, unreadable: false };
    this.#byFile.set(found.file, known);
    this.#order = undefined;
    return known;
  }

  /**
   * Compares a file with its known state, and reads and reports what changed. Unless `eagerly`, a changed file that
   * nobody asked for yet stays unread. No stamp means that the file is gone.
   */
  compare(file: string, stamp: FileStamp | undefined, eagerly: boolean): void {
    const known = this.#byFile.get(file);
    if (!stamp) {
      if (known) this.#remove(known);
      return;
    }
    if (!known) {
      const found = foundAt(file);
      const record = found && this.fresh(this.add(found, stamp));
      if (record) this.#callbacks.onChange({ kind: 'added', entry: entryOf(record) });
      return;
    }
    if (sameStamp(known.stamp, stamp)) return;
    const before = known.record;
    this.#restamp(known, stamp);
    if (!before && !eagerly) return;
    const after = this.fresh(known);
    if (after) this.#callbacks.onChange(describeChange(before, after));
  }

  /** The current record of a session, read if necessary; undefined if it cannot be read. */
  fresh(known: KnownSession): SessionRecord | undefined {
    if (known.record && sameStamp(known.record.stamp, known.stamp)) return known.record;
    if (known.unreadable) return undefined;
    try {
      this.#store(known, readRecord(known.found, known.stamp, known.record));
      return known.record;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') this.#remove(known);
      else {
        known.unreadable = true;
        this.#callbacks.onError(error);
      }
      return undefined;
    }
  }

  /** Removes files that no longer exist from the cache. */
  dropCached(files: Iterable<string>): void {
    for (const file of files) this.#removed.add(file);
  }

  /** Passes everything new to the cache. Never rejects. */
  save(): Promise<void> {
    if (this.#unsaved.size > 0 || this.#removed.size > 0)
      this.#saving = this.#saving.then(() => this.#saveNow());
    return this.#saving;
  }

  async #saveNow(): Promise<void> {
    const records = [...this.#unsaved.values()];
    const removed = [...this.#removed];
    this.#unsaved.clear();
    this.#removed.clear();
    try {
      if (records.length > 0) await this.#cache.save(records);
      if (removed.length > 0) await this.#cache.remove(removed);
    } catch (error) {
      this.#callbacks.onError(error);
    }
  }

  #restamp(known: KnownSession, stamp: FileStamp): void {
    known.stamp = stamp;
    known.mtimeMs = stamp.mtimeMs;
    known.unreadable = false;
    this.#order = undefined;
  }

  #store(known: KnownSession, record: SessionRecord): void {
    known.record = record;
    this.#unsaved.set(known.found.file, record);
  }

  #remove({ found }: KnownSession): void {
    if (!this.#byFile.delete(found.file)) return;
    this.#unsaved.delete(found.file);
    this.#removed.add(found.file);
    this.#order = undefined;
    this.#callbacks.onChange({ kind: 'removed', sessionId: found.sessionId, file: found.file });
  }
}

function describeChange(
  before: SessionRecord | undefined,
  after: SessionRecord,
): Extract<SessionChange, { kind: 'changed' }> {
  const entry = entryOf(after);
  const what: ('content' | 'title' | 'archived')[] = ['content'];
  const old = before && entryOf(before);
  if (old && old.title !== entry.title) what.push('title');
  if (old && old.archived !== entry.archived) what.push('archived');
  return { kind: 'changed', entry, what };
}

function foundAt(file: string): FoundFile | undefined {
  const sessionId = sessionIdOf(basename(file));
  return sessionId === undefined ? undefined : { file, sessionId, project: basename(dirname(file)) };
}
