// Reads passages of transcripts in a separate thread, which ends when there is nothing to read for a while.
import { Worker } from 'node:worker_threads';
import { openReal } from '@parley/claude-cli';
import type { TranscriptMark, TranscriptPassage } from '../../../../domain/transcript-text.ts';

export interface TranscriptPart extends Pick<TranscriptMark, 'next' | 'tail'> {
  readonly passages: readonly TranscriptPassage[];
}

interface Waiting {
  readonly resolve: (part: TranscriptPart | undefined) => void;
  readonly reject: (error: Error) => void;
}

type Reply =
  | { readonly id: number; readonly part: TranscriptPart | undefined }
  | { readonly id: number; readonly failure: string };

/** `tail` is the hash of no bytes. */
export const startOfFile = { next: 0, tail: '47DEQpj8HBSa-_TImW-5JC' };
const idleMs = 10_000;

export class PassageReader {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  /** Reads what follows a mark; undefined if the file was rewritten since. */
  async read(file: string, { next, tail }: typeof startOfFile): Promise<TranscriptPart | undefined> {
    // Opened here and handed to the thread, which doesn't check for links.
    const handle = await openReal(file);
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      this.#waiting.set(this.#lastId, { resolve, reject });
      clearTimeout(this.#idle);
      this.#worker ??= this.#start();
      this.#worker.postMessage({ id: this.#lastId, handle, from: next, tail }, [handle]);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = undefined;
    this.#failAll(new Error('The reader of transcripts is closed.'));
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage('close', []);
    await ended;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./passage-worker.mjs', import.meta.url), { env: {}, execArgv: [] });
    worker.on('message', (reply: Reply) => this.#settle(reply));
    worker.once('error', (thrown) => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#failAll(thrown);
    });
    worker.unref();
    return worker;
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#idle = setTimeout(() => void this.close(), idleMs).unref();
    if ('failure' in reply) waiting?.reject(new Error(reply.failure));
    else waiting?.resolve(reply.part);
  }

  #failAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
