// The requests that the stand-in received, stored for assertions, bounded by number and by bytes.
import type { ApiRequest } from '@parley/demo/services';

export type RecordedRequest = ApiRequest;

export type RecordLimits = { readonly requests: number; readonly bytes: number };

type Watcher = { see(request: RecordedRequest): void; fail(reason: Error): void };

export class RequestRecord {
  readonly #requests: RecordedRequest[] = [];
  readonly #watchers = new Set<Watcher>();
  readonly #limits: RecordLimits;
  #bytes = 0;

  constructor(limits: RecordLimits) {
    this.#limits = limits;
  }

  get all(): readonly RecordedRequest[] {
    return this.#requests;
  }

  add(request: RecordedRequest): void {
    this.#requests.push(request);
    this.#bytes += request.bytes;
    while (this.#requests.length > this.#limits.requests || this.#bytes > this.#limits.bytes) {
      const oldest = this.#requests.shift();
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes;
    }
    for (const watcher of this.#watchers) watcher.see(request);
  }

  /** The first stored request that matches, or else the first one to arrive. */
  waitFor(matches: (request: RecordedRequest) => boolean, signal?: AbortSignal): Promise<RecordedRequest> {
    const known = this.#requests.find(matches);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      const abort = (): void => watcher.fail(signal?.reason as Error);
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
        fail: (reason) => {
          leave();
          reject(reason);
        },
      };
      if (signal?.aborted === true) return abort();
      signal?.addEventListener('abort', abort);
      this.#watchers.add(watcher);
    });
  }

  /** Rejects everything that still waits. */
  close(reason: Error): void {
    for (const watcher of this.#watchers) watcher.fail(reason);
  }

  clear(): void {
    this.#requests.length = 0;
    this.#bytes = 0;
  }
}
