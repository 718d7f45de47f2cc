// Writes of one turn of the event loop share one commit: a commit costs far more than what it holds, and when many
// sessions write at once there are then as many commits as the machine can take, not as many as there are writes.
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type Database from 'libsql';

interface Write {
  readonly work: () => unknown;
  result: unknown;
}

interface Group {
  readonly writes: Write[];
  /** Resolves when the group is over, for better or worse. */
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
   * All of `work` or nothing of it. Later calls see it at once; the promise resolves when it is committed. It may be
   * done again, so it must do nothing but read and write here.
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

  /** Resolves when those who have written know it. */
  async close(): Promise<void> {
    const group = this.#open;
    if (!group) return;
    this.#commit(group);
    await group.ended;
    await turnOfTheLoop();
  }

  #begin(): Group {
    this.#lock();
    const group: Group = {
      writes: [],
      ended: turnOfTheLoop().then(() => this.#commit(group)),
      failure: undefined,
    };
    return group;
  }

  /** Once for each group. */
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

  /** Does the others of the group again without the one that failed; a savepoint would cost each of them more. */
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

  /** At once: a transaction that turned into a writer half-way could not wait for another process. */
  #lock(): void {
    this.#run('BEGIN IMMEDIATE');
  }

  /** A full disk makes SQLite roll back by itself. */
  #rollBack(): void {
    if (this.#db.inTransaction) this.#run('ROLLBACK');
  }
}
