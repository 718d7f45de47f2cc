// The port that keeps an index across restarts: with stored records, a start only stats the files and reads those that
// changed.
import type { SessionRecord } from './session-record.ts';

export interface IndexCache {
  /** All stored records, in any order. The index ignores those of another version. */
  load(): Promise<Iterable<SessionRecord>>;
  /** Stores each record under its `file`, replacing the previous one. */
  save(records: readonly SessionRecord[]): Promise<void>;
  /** Removes the records of these files. */
  remove(files: readonly string[]): Promise<void>;
}

export class MemoryIndexCache implements IndexCache {
  readonly #records = new Map<string, SessionRecord>();

  load(): Promise<Iterable<SessionRecord>> {
    return Promise.resolve([...this.#records.values()]);
  }

  save(records: readonly SessionRecord[]): Promise<void> {
    for (const record of records) this.#records.set(record.file, record);
    return Promise.resolve();
  }

  remove(files: readonly string[]): Promise<void> {
    for (const file of files) this.#records.delete(file);
    return Promise.resolve();
  }
}
