// What was asked of the stand-in, kept for assertions, bounded by number and by bytes.
import type { IncomingHttpHeaders } from 'node:http';
import type { MessagesBody } from './messages-wire.ts';

export type RequestKind =
  /** A turn of a conversation: takes the next scripted reply. */
  | 'conversation'
  /** What a client asks on its own account (a title, a quota probe): never takes a scripted reply. */
  | 'auxiliary'
  | 'count_tokens'
  | 'models'
  | 'other';

export type RecordedRequest = {
  /** Counts from 1 over the stand-in's life. */
  readonly number: number;
  readonly kind: RequestKind;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body; an empty object where there was none. */
  readonly body: MessagesBody;
  readonly bytes: number;
  /** `open` while the answer goes out; `left` when the client went away before its end. */
  outcome: 'open' | 'answered' | 'left';
};

export type RecordLimits = { readonly requests: number; readonly bytes: number };

type Watcher = { see(request: RecordedRequest): void; giveUp(reason: Error): void };

export class RequestRecord {
  readonly #kept: RecordedRequest[] = [];
  readonly #watchers = new Set<Watcher>();
  readonly #limits: RecordLimits;
  #bytes = 0;

  constructor(limits: RecordLimits) {
    this.#limits = limits;
  }

  get all(): readonly RecordedRequest[] {
    return this.#kept;
  }

  add(request: RecordedRequest): void {
    this.#kept.push(request);
    this.#bytes += request.bytes;
    while (this.#kept.length > this.#limits.requests || this.#bytes > this.#limits.bytes) {
      const oldest = this.#kept.shift();
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes;
    }
    for (const watcher of this.#watchers) watcher.see(request);
  }

  /** The first kept request that matches, or else the first one to come. */
  waitFor(matches: (request: RecordedRequest) => boolean, signal?: AbortSignal): Promise<RecordedRequest> {
    const known = this.#kept.find(matches);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      const abort = (): void => watcher.giveUp(signal?.reason as Error);
      const leave = (): void => {
        this.#watchers.delete(watcher);
        signal?.removeEventListener('abort', abort);
      };
      const watcher: Watcher = {
        see: (request) => {
          if (!matches(request)) return;
          leave();
          resolve(request);
        },
        giveUp: (reason) => {
          leave();
          reject(reason);
        },
      };
      if (signal?.aborted === true) return abort();
      signal?.addEventListener('abort', abort);
      this.#watchers.add(watcher);
    });
  }

  /** Those who still wait will wait no longer. */
  close(reason: Error): void {
    for (const watcher of this.#watchers) watcher.giveUp(reason);
  }

  clear(): void {
    this.#kept.length = 0;
    this.#bytes = 0;
  }
}
