// Runs work that may take long in another thread, on a connection of its own, which is read-only unless it is opened
// for writing. Statements have a time limit, and only a limited number may wait.
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ParleyError, say } from '@parley/protocol';
import Database from 'libsql';
import type { Connection } from './connection.ts';
import { closed, toParleyError } from './failures.ts';

export interface Reader {
  /** Starts the thread, so that the first statement doesn't have to wait for that. */
  start(): void;
  /** Sees everything that was committed before the call. */
  all<Row>(sql: string, values: readonly (string | number | null)[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** A transaction: all of its statements or none of them. */
export type Batch = readonly (readonly [sql: string, values: readonly (string | number | null)[]])[];

export interface Writer extends Reader {
  /** Resolves when it is committed. */
  write(batch: Batch): Promise<void>;
}

export interface ReaderLimits {
  /** How long one statement may take. */
  readonly timeoutMs: number;
  /** Statements that run or wait. */
  readonly most: number;
}

type Request = { readonly batch: Batch } | { readonly sql: string; readonly values: Batch[number][1] };

interface Waiting {
  readonly request: Request;
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (error: ParleyError) => void;
}

type Reply =
  | { readonly id: number; readonly rows: readonly unknown[] }
  | { readonly id: number; readonly failure: { readonly message: string; readonly code: string } };

const defaults: ReaderLimits = { timeoutMs: 2_000, most: 1_000 };
const busyTimeoutMs = 1_000;
/** How many threads may still work on statements that nobody waits for. */
const maxEnding = 2;

/** A database in memory, or on a disk without room to share it, is read where it is. */
export function openReader(connection: Connection, limits: ReaderLimits = defaults): Reader {
  if (connection.isShared) return new Thread(resolve(connection.file), limits);
  return {
    start: () => {},
    all: async <Row>(sql: string, values: readonly (string | number | null)[]) =>
      connection.prepare(sql).all(values) as readonly Row[],
    close: async () => {},
  };
}

/** Reads a file that another thread writes. */
export function openReadThread(file: string, limits: ReaderLimits = defaults): Reader {
  return new Thread(resolve(file), limits);
}

/** The only writer of a file. `setup` runs first, on every new connection. */
export function openWriteThread(file: string, setup: string, limits: ReaderLimits): Writer {
  return new Thread(resolve(file), limits, setup);
}

class Thread implements Writer {
  readonly #file: string;
  readonly #limits: ReaderLimits;
  /** Only for a writer. */
  readonly #setup: string | undefined;
  /** In the order in which they arrived; the thread is working on the first. */
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  /** Tells the thread that nobody waits for what it still has to do. */
  #isReleased = new Int32Array(new SharedArrayBuffer(4));
  #timer: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isReady = false;
  #isClosed = false;
  readonly #ending = new Set<Promise<void>>();

  constructor(file: string, limits: ReaderLimits, setup?: string) {
    this.#file = file;
    this.#limits = limits;
    this.#setup = setup;
  }

  start(): void {
    if (this.#isClosed || this.#worker) return;
    this.#worker = this.#startThread();
    this.#worker.unref();
  }

  all<Row>(sql: string, values: readonly (string | number | null)[]): Promise<readonly Row[]> {
    return this.#ask({ sql, values }) as Promise<readonly Row[]>;
  }

  async write(batch: Batch): Promise<void> {
    await this.#ask({ batch });
  }

  #ask(request: Request): Promise<readonly unknown[]> {
    if (this.#isClosed) return Promise.reject(closed());
    if (this.#waiting.size >= this.#limits.most) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      const waiting = { request, resolve, reject };
      this.#waiting.set(this.#lastId, waiting);
      this.#send(this.#lastId, waiting);
      if (this.#waiting.size === 1) this.#restartTimer();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const { reject } of this.#waiting.values()) reject(closed());
    this.#waiting.clear();
    this.#release();
    await Promise.all(this.#ending);
  }

  #send(id: number, { request }: Waiting): void {
    this.#worker ??= this.#startThread();
    this.#worker.ref();
    this.#worker.postMessage({ id, ...request }, []);
  }

  #startThread(): Worker {
    this.#isReleased = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(new URL('./read-worker.mjs', import.meta.url), {
      workerData: {
        file: this.#file,
        busyTimeoutMs,
        setup: this.#setup,
        isReleased: this.#isReleased,
      },
      env: {},
      execArgv: [],
    });
    this.#isReady = false;
    worker.on('message', (reply: Reply | 'ready') => {
      if (reply !== 'ready') this.#settle(reply);
      else if (this.#worker === worker) {
        this.#isReady = true;
        this.#restartTimer();
      }
    });
    worker.once('error', (thrown) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#replace(toParleyError(thrown, this.#file));
    });
    return worker;
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    if (!waiting) return;
    this.#waiting.delete(reply.id);
    this.#restartTimer();
    if ('rows' in reply) return waiting.resolve(reply.rows);
    const { message, code } = reply.failure;
    waiting.reject(toParleyError(new Database.SqliteError(message, code, 0), this.#file));
  }

  #restartTimer(): void {
    clearTimeout(this.#timer);
    // An idle thread doesn't keep the process alive.
    if (this.#waiting.size === 0) return this.#worker?.unref();
    // Starting a thread can take longer than a statement may.
    if (!this.#isReady) return;
    this.#timer = setTimeout(() => this.#replace(tookTooLong()), this.#limits.timeoutMs).unref();
  }

  /** Gives up on what the thread is working on; the others move to a new thread. */
  #replace(reason: ParleyError): void {
    const [first, ...others] = this.#waiting;
    this.#release();
    if (!first) return;
    this.#waiting.delete(first[0]);
    first[1].reject(reason);
    if (this.#ending.size > maxEnding) {
      this.#waiting.clear();
      for (const [, { reject }] of others) reject(tooMany());
    }
    for (const [id, waiting] of this.#waiting) this.#send(id, waiting);
    this.#restartTimer();
  }

  /** The thread ends when its statement does: terminating it in the middle of one would crash the process. */
  #release(): void {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = undefined;
    Atomics.store(this.#isReleased, 0, 1);
    worker.postMessage('close', []);
    worker.unref();
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    this.#ending.add(ended);
    void ended.then(() => this.#ending.delete(ended));
  }
}

function tookTooLong(): ParleyError {
  return new ParleyError('unavailable', say`This took too long to look up. Try again, or ask for less.`);
}

function tooMany(): ParleyError {
  return new ParleyError('busy', say`Too many lookups are running. Try again in a moment.`);
}
