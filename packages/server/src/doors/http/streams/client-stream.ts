// A stream to one client: each message goes out in the tick it came in, a burst of them as one write. The writer
// waits for a client that reads slowly, and cuts off one that has stopped.
import type { ServerResponse } from 'node:http';

export interface ClientStreamOptions {
  readonly pingMs: number;
  readonly stalledMs: number;
}

/** How messages look on the wire, and what is sent when there are none for a while. */
export interface StreamFormat<Message> {
  readonly contentType: string;
  readonly ping: string;
  encode(message: Message): string;
}

/** A burst longer than this is written in parts. */
const burstLength = 64 * 1024;

export class ClientStream<Message> {
  readonly #response: ServerResponse;
  readonly #format: StreamFormat<Message>;
  readonly #stalledMs: number;
  readonly #pings: NodeJS.Timeout;
  #pending = '';
  #blocked: Promise<void> | undefined;

  /** Sends the headers at once, so that the client knows that it is served. */
  constructor(
    response: ServerResponse,
    headers: Readonly<Record<string, string | string[] | number>>,
    format: StreamFormat<Message>,
    { pingMs, stalledMs }: ClientStreamOptions,
  ) {
    this.#response = response;
    this.#format = format;
    this.#stalledMs = stalledMs;
    response.writeHead(200, {
      ...headers,
      'content-type': format.contentType,
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
    this.#pings = setInterval(() => {
      if (!this.#blocked) this.#add(format.ping);
    }, pingMs).unref();
    response.once('close', () => clearInterval(this.#pings));
  }

  /** Gives a promise when the client has to catch up first; await it before the next message. */
  send(message: Message): Promise<void> | undefined {
    this.#add(this.#format.encode(message));
    return this.#blocked;
  }

  end(): void {
    clearInterval(this.#pings);
    this.#flush();
    this.#response.end();
  }

  #add(text: string): void {
    if (this.#pending === '') process.nextTick(this.#flush);
    this.#pending += text;
    if (this.#pending.length > burstLength) this.#flush();
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
