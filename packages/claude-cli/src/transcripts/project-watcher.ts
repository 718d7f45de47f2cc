// Notices when transcripts change. Watches each project folder, not each file; rescans everything at long intervals for
// changes that the file system does not report; and polls if watching does not work at all.
import { type FSWatcher, readdirSync, watch as watchFolder } from 'node:fs';
import { join } from 'node:path';
import { isSessionId, sessionIdOf } from './location.ts';

export interface ProjectWatcherOptions {
  readonly root: string;
  /** `files` must be checked again; `everything` asks for a new scan. Called at most every `settleMs`. */
  readonly onDirty: (dirty: { readonly files: readonly string[]; readonly everything: boolean }) => void;
  /** Only poll, for file systems that report no changes. */
  readonly pollOnly?: boolean;
  readonly pollMs?: number;
  readonly rescanMs?: number;
  readonly settleMs?: number;
  readonly watch?: WatchFolder;
}

export type WatchFolder = (
  folder: string,
  listener: (event: string, name: string | null) => void,
) => Pick<FSWatcher, 'close' | 'on'>;

type OpenWatch = ReturnType<WatchFolder>;

const watchUnreferenced: WatchFolder = (folder, listener) =>
  watchFolder(folder, { persistent: false }, listener);

export class ProjectWatcher {
  readonly #options: ProjectWatcherOptions;
  readonly #watch: WatchFolder;
  readonly #watches = new Map<string, OpenWatch>();
  readonly #dirty = new Set<string>();
  #everything = false;
  #settle: NodeJS.Timeout | undefined;
  #interval: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ProjectWatcherOptions) {
    this.#options = options;
    this.#watch = options.watch ?? watchUnreferenced;
    this.#start();
  }

  /** Whether the file system reports changes; if not, polling finds them. */
  get isWatching(): boolean {
    return this.#watches.size > 0;
  }

  /** Reports collected changes at once. */
  flush(): void {
    clearTimeout(this.#settle);
    this.#settle = undefined;
    if (this.#dirty.size === 0 && !this.#everything) return;
    const dirty = { files: [...this.#dirty], everything: this.#everything };
    this.#dirty.clear();
    this.#everything = false;
    this.#options.onDirty(dirty);
  }

  close(): void {
    this.#closed = true;
    this.#stopWatching();
    clearTimeout(this.#settle);
    clearInterval(this.#interval);
  }

  #start(): void {
    if (this.#options.pollOnly !== true) this.#tryWatching();
    this.#setInterval();
  }

  #setInterval(): void {
    clearInterval(this.#interval);
    if (this.#closed) return;
    const { pollMs = 2_000, rescanMs = 30_000 } = this.#options;
    this.#interval = setInterval(() => this.#check(), this.isWatching ? rescanMs : pollMs).unref();
  }

  #check(): void {
    if (!this.isWatching && this.#options.pollOnly !== true) {
      this.#tryWatching();
      if (this.isWatching) this.#setInterval();
    }
    this.#mark(undefined);
  }

  /** All folders or none: changes in an unwatched folder would go unnoticed for a long time. */
  #tryWatching(): void {
    const { root } = this.#options;
    try {
      this.#open(root, (name) => this.#onRootEvent(name));
      for (const project of readdirSync(root)) this.#watchProject(project);
    } catch {
      this.#stopWatching();
    }
  }

  #onRootEvent(project: string | null): void {
    this.#mark(undefined);
    if (project === null) return;
    // The folder may be a new one with the name of a removed one, and a watch doesn't notice that its folder is gone.
    this.#unwatch(join(this.#options.root, project));
    try {
      this.#watchProject(project);
    } catch {
      this.#fallBack();
    }
  }

  #watchProject(project: string): void {
    const folder = join(this.#options.root, project);
    try {
      this.#open(folder, (name) => this.#onProjectEvent(folder, name));
    } catch (error) {
      // Gone already, or not a folder: nothing to watch.
      if (!isMissing(error)) throw error;
    }
  }

  #onProjectEvent(folder: string, name: string | null): void {
    if (name === null) this.#mark(undefined);
    else if (sessionIdOf(name) !== undefined) this.#mark(join(folder, name));
    else if (isSessionId(name)) this.#mark(join(folder, `${name}.jsonl`));
  }

  #open(folder: string, onEvent: (name: string | null) => void): void {
    const opened = this.#watch(folder, (_event, name) => onEvent(name));
    this.#watches.set(folder, opened);
    opened.on('error', () => this.#onWatchError(folder));
  }

  #onWatchError(folder: string): void {
    if (folder === this.#options.root) return this.#fallBack();
    this.#unwatch(folder);
    this.#mark(undefined);
  }

  #unwatch(folder: string): void {
    this.#watches.get(folder)?.close();
    this.#watches.delete(folder);
  }

  #fallBack(): void {
    this.#stopWatching();
    this.#setInterval();
    this.#mark(undefined);
  }

  #stopWatching(): void {
    for (const opened of this.#watches.values()) opened.close();
    this.#watches.clear();
  }

  #mark(file: string | undefined): void {
    if (this.#closed) return;
    if (file === undefined) this.#everything = true;
    else this.#dirty.add(file);
    this.#settle ??= setTimeout(() => this.flush(), this.#options.settleMs ?? 50).unref();
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
