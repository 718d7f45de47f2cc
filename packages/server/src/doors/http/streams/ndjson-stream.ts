// Lines of JSON to one client: each goes out in the tick it came in, a burst of them as one write. The writer
// waits for a client that reads slowly, and cuts off one that has stopped.
import type { ServerResponse } from 'node:http';

export interface NdjsonStreamOptions {
  readonly pingMs: number;
  readonly stalledMs: number;
}

/** A burst longer than this is written in parts. */
const burstLength = 64 * 1024;
const ping = { type: 'ping' };

export class NdjsonStream {
  readonly #response: ServerResponse;
  readonly #stalledMs: number;
  readonly #pings: NodeJS.Timeout;
  #pending = '';
  #blocked: Promise<void> | undefined;

  /** Sends the headers at once, so that the client knows that it is served. */
  constructor(
    response: ServerResponse,
    headers: Readonly<Record<string, string | string[] | number>>,
    { pingMs, stalledMs }: NdjsonStreamOptions,
  ) {
    this.#response = response;
    this.#stalledMs = stalledMs;
    response.writeHead(200, {
      ...headers,
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
    this.#pings = setInterval(() => {
      if (!this.#blocked) void this.send(ping);
    }, pingMs).unref();
    response.once('close', () => clearInterval(this.#pings));
  }

  /** Gives a promise when the client has to catch up first; await it before the next line. */
  send(line: object): Promise<void> | undefined {
    if (this.#pending === '') process.nextTick(this.#flush);
    this.#pending += `${JSON.stringify(line)}\n`;
    if (this.#pending.length > burstLength) this.#flush();
    return this.#blocked;
  }

  end(): void {
    clearInterval(this.#pings);
    this.#flush();
    this.#response.end();
  }

  readonly #flush = (): void => {
    if (this.#pending === '') return;
    const burst = this.#pending;
    this.#pending = '';
    if (this.#response.destroyed || this.#response.writableEnded) return;
    if (!this.#response.write(burst)) this.#blocked ??= this.#drained();
  };

  #drained(): Promise<void> {
    const response = this.#response;
    return new Promise((resolve) => {
      const stalled = setTimeout(() => response.destroy(), this.#stalledMs).unref();
      const goOn = () => {
        clearTimeout(stalled);
        response.off('drain', goOn).off('close', goOn);
        this.#blocked = undefined;
        resolve();
      };
      response.once('drain', goOn).once('close', goOn);
    });
  }
}
