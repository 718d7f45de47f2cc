// Writes share transactions: while one is being committed, others wait and then form the next group. Their statements
// travel together, so a group takes about as long as its longest write. If one fails, each runs again on its own.
import type pg from 'pg';
import { pause } from '../../basics/backoff.ts';
import type { Work } from '../sql/work.ts';
import { reconnecting } from './connections.ts';
import {
  closed,
  type DatabasePlace,
  isLost,
  isWorthRepeating,
  tooManyWrites,
  toParleyError,
  unsureWhetherSaved,
} from './failures.ts';
import { ask } from './statements.ts';

interface Write {
  readonly work: () => Work<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface LaneOptions {
  readonly connect: () => Promise<pg.Client>;
  readonly place: DatabasePlace;
  readonly patienceMs: number;
  /** How many writes may share a transaction. */
  readonly maxTogether: number;
}

const maxAttempts = 5;
const statusPauseMs = 20;
/**
 * How long to try to find out whether something was committed, because the caller would write it again. By then, a
 * server that still doesn't know has lost its lease and writes nothing.
 */
const commitPatienceMs = 30_000;
/** Callers wait for their writes, so more means that something is wrong. */
const maxWaiting = 20_000;

export class WriteLane {
  readonly #options: LaneOptions;
  readonly #stop = new AbortController();
  #waiting: Write[] = [];
  #running: Promise<void> | undefined;
  #client: pg.Client | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Runs all of the work or none of it. Later groups see it. May call `work` again. */
  write<T>(work: () => Work<T>): Promise<T> {
    if (this.#stop.signal.aborted) return Promise.reject(closed());
    if (this.#waiting.length >= maxWaiting) return Promise.reject(tooManyWrites());
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as Write['resolve'], reject });
      this.#running ??= this.#runAll();
    });
  }

  /** Resolves when everything that was waiting is written. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#disconnect();
  }

  async #runAll(): Promise<void> {
    // Writes in the same tick join the first group.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#options.maxTogether);
      if (group.length === 1 || !(await this.#tryTogether(group)))
        for (const write of group) await this.#alone(write);
    }
    this.#running = undefined;
  }

  async #tryTogether(group: readonly Write[]): Promise<boolean> {
    try {
      const results = await this.#transaction(group.map(({ work }) => work));
      for (const [index, write] of group.entries()) write.resolve(results[index]);
      return true;
    } catch (thrown) {
      if (!isLost(thrown)) return false;
      const error = toParleyError(thrown, this.#options.place);
      for (const write of group) write.reject(error);
      return true;
    }
  }

  async #alone({ work, resolve, reject }: Write): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const [result] = await this.#transaction([work]);
        return resolve(result);
      } catch (thrown) {
        if (isWorthRepeating(thrown) && attempt < maxAttempts) continue;
        return reject(toParleyError(thrown, this.#options.place));
      }
    }
  }

  /** Starts over on a new connection if the old one broke, unless the database has committed it after all. */
  async #transaction(works: readonly (() => Work<unknown>)[]): Promise<readonly unknown[]> {
    const { connect, patienceMs } = this.#options;
    let committing: { readonly id: string; readonly results: readonly unknown[] } | undefined;
    return reconnecting(
      async () => {
        this.#client ??= await connect();
        const client = this.#client;
        try {
          if (committing && (await hasCommitted(client, committing.id))) return committing.results;
          committing = undefined;
          // They travel together, so asking for the transaction's id costs no round trip.
          const [id, ...results] = await allOf([
            begin(client),
            ...works.map((work) => finish(client, work())),
          ]);
          committing = { id: id as string, results };
          await client.query('COMMIT');
          return results;
        } catch (thrown) {
          if (isLost(thrown)) await this.#disconnect();
          else {
            committing = undefined;
            await client.query('ROLLBACK').catch(() => this.#disconnect());
          }
          throw thrown;
        }
      },
      () => (committing ? Math.max(patienceMs, commitPatienceMs) : patienceMs),
      this.#stop.signal,
    ).catch((thrown: unknown) => {
      throw committing ? unsureWhetherSaved(this.#options.place) : thrown;
    });
  }

  async #disconnect(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }
}

/** Resolves to the id of the transaction. */
async function begin(client: pg.Client): Promise<string> {
  const ownId = 'SELECT pg_current_xact_id()::text AS id';
  const [, { rows }] = await Promise.all([client.query('BEGIN'), client.query<{ id: string }>(ownId)]);
  return rows[0]?.id ?? '';
}

async function hasCommitted(client: pg.Client, id: string): Promise<boolean> {
  for (;;) {
    const { rows } = await client.query<{ status: string | null }>(
      'SELECT pg_xact_status($1::xid8) AS status',
      [id],
    );
    const status = rows[0]?.status;
    if (status !== 'in progress') return status === 'committed';
    await pause(statusPauseMs, undefined);
  }
}

async function finish(client: pg.Client, work: Work<unknown>): Promise<unknown> {
  let step = work.next();
  while (!step.done) step = work.next(await ask(client, step.value));
  return step.value;
}

/** Waits for all of them, because one that continued would write outside of the transaction. */
async function allOf(works: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  const settled = await Promise.allSettled(works);
  const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  if (failures.length > 0) throw failures.find((reason) => !isConsequence(reason)) ?? failures[0];
  return settled.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
}

/** Once a statement fails, PostgreSQL refuses all others of the transaction. */
function isConsequence(reason: unknown): boolean {
  return reason instanceof Error && 'code' in reason && reason.code === '25P02';
}
