// Makes commits survive a power cut without blocking the event loop. SQLite would wait for the disk in each commit, on the
// main thread. Here commits go to its log at once, and one sync of the log, on another thread, serves all waiting callers.
import { type FileHandle, open } from 'node:fs/promises';

export class WalSync {
  readonly #path: string;
  #handle: Promise<FileHandle> | undefined;
  #running: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when everything committed so far is on the disk. A running sync started too early to count. */
  sync(): Promise<void> {
    this.#waiting ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#waiting = undefined;
        this.#running = this.#sync();
        return this.#running;
      });
    return this.#waiting;
  }

  async close(): Promise<void> {
    await this.#waiting?.catch(() => undefined);
    await this.#running.catch(() => undefined);
    await (await this.#handle)?.close();
    this.#handle = undefined;
  }

  /** The log stays the same file while a connection is open, so its handle can stay open too. */
  async #sync(): Promise<void> {
    this.#handle ??= open(this.#path, 'r+');
    const handle = await this.#handle.catch((error: unknown) => {
      this.#handle = undefined;
      throw error;
    });
    await handle.datasync();
  }
}
