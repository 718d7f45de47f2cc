// The port through which an index outlives its process: with kept records a start only stats the files, and
// reads those that changed.
import type { SessionRecord } from './session-record.ts';

export interface IndexCache {
  /** All records kept, in any order. Those of another version are ignored by the index. */
  load(): Promise<Iterable<SessionRecord>>;
  /** Keeps records, each under its `file`, in place of what was kept there. */
  save(records: readonly SessionRecord[]): Promise<void>;
  /** Forgets the records of these files. */
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
