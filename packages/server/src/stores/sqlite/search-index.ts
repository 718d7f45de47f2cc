// Keeps the full-text index behind the passages that it is made from: to index an answer costs more than to keep it,
// so this waits until nothing is written, or until somebody searches.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { Connection } from './connection.ts';

const quietMs = 1_000;
/** So many at once are a few milliseconds. */
const passagesPerWrite = 20;

// Passages are indexed in the order of their ids, so all after the last one that the index knows are missing in it.
const indexNext = `
  INSERT INTO passage_index (rowid, text)
  SELECT id, text FROM passages
  WHERE id > (SELECT coalesce(max(id), 0) FROM passage_index_docsize)
  ORDER BY id LIMIT ${passagesPerWrite}`;

export class SearchIndex {
  readonly #connection: Connection;
  readonly #timer: NodeJS.Timeout;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#timer = setTimeout(() => void this.catchUp(), quietMs).unref();
  }

  /** To be told of writes: the index does not get in their way. */
  postpone(): void {
    this.#timer.refresh();
  }

  /** Resolves when every passage is in the index, or when the database takes no more: then that is all there is. */
  async catchUp(): Promise<void> {
    try {
      while ((await this.#next()) === passagesPerWrite) await turnOfTheLoop();
    } catch {
      // Whoever writes for a person is told why; the index tries again after the next write.
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #next(): Promise<number> {
    return this.#connection.write(() => this.#connection.prepare(indexNext).run([]));
  }
}
