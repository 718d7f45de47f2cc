// Writes in the same tick of the event loop share one commit, because a commit costs far more than a write. This is only for
// speed: nothing may rely on two calls sharing a commit (docs/adr/0012).
import { setImmediate as nextTick } from 'node:timers/promises';
import type Database from 'libsql';

interface Write {
  readonly work: () => unknown;
  result: unknown;
}

interface Group {
  readonly writes: Write[];
  /** Resolves when the group was committed or has failed. */
  readonly ended: Promise<void>;
  failure: unknown;
}

export class CommitGroups {
  readonly #db: Database.Database;
  readonly #run: (sql: string) => void;
  #open: Group | undefined;

  constructor(db: Database.Database, run: (sql: string) => void) {
    this.#db = db;
    this.#run = run;
  }

  /**
   * Runs all of `work` or none of it. Later calls see it at once; the promise resolves when it is committed. `work` may
   * run twice, so it must only read and write this database.
   */
  async write<T>(work: () => T): Promise<T> {
    this.#open ??= this.#begin();
    const group = this.#open;
    const write = { work, result: this.#attempt(work, group) };
    group.writes.push(write);
    await group.ended;
    if (group.failure !== undefined) throw group.failure;
    return write.result;
  }

  /** Resolves when the open group was committed and its callers have resumed. */
  async close(): Promise<void> {
    const group = this.#open;
    if (!group) return;
    this.#commit(group);
    await group.ended;
    await nextTick();
  }

  #begin(): Group {
    this.#lock();
    const group: Group = {
      writes: [],
      ended: nextTick().then(() => this.#commit(group)),
      failure: undefined,
    };
    return group;
  }

  /** Does nothing if the group was committed before. */
  #commit(group: Group): void {
    if (this.#open !== group) return;
    try {
      this.#run('COMMIT');
      this.#open = undefined;
    } catch (thrown) {
      this.#fail(group, thrown);
    }
  }

  #attempt<T>(work: () => T, group: Group): T {
    try {
      return work();
    } catch (thrown) {
      this.#undo(group);
      throw thrown;
    }
  }

  /** Repeats the other writes without the one that failed. Savepoints would make every write slower. */
  #undo(group: Group): void {
    try {
      this.#rollBack();
      this.#lock();
      for (const write of group.writes) write.result = write.work();
    } catch (thrown) {
      this.#fail(group, thrown);
    }
  }

  #fail(group: Group, failure: unknown): void {
    this.#open = undefined;
    group.failure = failure;
    this.#rollBack();
  }

  /** Takes the write lock right away: a transaction that upgrades later can't wait for another process. */
  #lock(): void {
    this.#run('BEGIN IMMEDIATE');
  }

  /** SQLite has already rolled back when the disk is full. */
  #rollBack(): void {
    if (this.#db.inTransaction) this.#run('ROLLBACK');
  }
}
