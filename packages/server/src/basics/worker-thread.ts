// Calls into another thread, which starts with a call and ends when it has had nothing to do for a while. If it hangs,
// crashes or exits, every call that waits for it fails, and the next call starts it again.
import { type ResourceLimits, type TransferListItem, Worker } from 'node:worker_threads';

export interface WorkerThreadOptions {
  /** Answers each `{ id, request }` with `{ id, result }`, or with `{ id, failure }`, a text. */
  readonly module: URL;
  /** How long it keeps its memory after the last answer. */
  readonly idleMs: number;
  readonly resourceLimits?: ResourceLimits;
}

interface Waiting<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

type Answer<Result> =
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly failure: string };

/** More calls fail at once. */
const maxWaiting = 1_000;

export class WorkerThread<Request, Result> {
  readonly #options: WorkerThreadOptions;
  readonly #waiting = new Map<number, Waiting<Result>>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
  }

  /** When the signal aborts, the thread ends with all of its calls, because nothing else stops what it is doing. */
  async call(
    request: Request,
    signal: AbortSignal,
    transfer: readonly TransferListItem[] = [],
  ): Promise<Result> {
    signal.throwIfAborted();
    if (this.#waiting.size >= maxWaiting) throw new Error('Too many calls wait for a thread.');
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    worker.ref();
    this.#lastId += 1;
    const id = this.#lastId;
    const onAbort = () => this.#end(worker, signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await new Promise<Result>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        worker.postMessage({ id, request }, transfer);
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#rest();
    }
  }

  /** Resolves when the thread has ended. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#end(worker, new Error('The thread was closed.'));
    await worker.terminate();
  }

  #start(): Worker {
    const { module, resourceLimits = {} } = this.#options;
    const worker = new Worker(module, { env: {}, execArgv: [], resourceLimits });
    worker.on('message', (answer: Answer<Result>) => this.#settle(answer));
    worker.on('error', (thrown) => this.#end(worker, thrown));
    worker.once('exit', () => this.#end(worker, new Error('The thread ended before it answered.')));
    return worker;
  }

  #settle(answer: Answer<Result>): void {
    const waiting = this.#waiting.get(answer.id);
    if ('failure' in answer) waiting?.reject(new Error(answer.failure));
    else waiting?.resolve(answer.result);
  }

  #end(worker: Worker, reason: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    clearTimeout(this.#idle);
    void worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }

  #rest(): void {
    if (!this.#worker) return;
    const { idleMs } = this.#options;
    this.#worker.unref();
    if (idleMs === 0) void this.close();
    else this.#idle = setTimeout(() => void this.close(), idleMs).unref();
  }
}
