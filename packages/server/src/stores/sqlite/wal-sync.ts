// Makes commits survive a power cut without holding up anything else. SQLite would wait for the disk within each
// commit, on the thread that serves everybody; here commits go to its log at once, and one sync of the log, off
// that thread, serves all that wait for it.
import { type FileHandle, open } from 'node:fs/promises';

export class WalSync {
  readonly #path: string;
  #handle: Promise<FileHandle> | undefined;
  #running: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when everything committed so far is on the disk. A sync under way began too early to count. */
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

  /** The log stays the same file as long as a connection is open, so its handle may stay open too. */
  async #sync(): Promise<void> {
    this.#handle ??= open(this.#path, 'r+');
    const handle = await this.#handle.catch((error: unknown) => {
      this.#handle = undefined;
      throw error;
    });
    await handle.datasync();
  }
}
