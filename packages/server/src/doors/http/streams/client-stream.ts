// A stream to one client. Messages are sent in the tick they arrive, a burst of them as one write. The writer waits for
// a slow client and disconnects one that has stopped reading.
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

export interface ClientStreamOptions {
  readonly pingMs: number;
  readonly stalledMs: number;
}

/** The wire format of messages, and the ping sent when there are none for a while. */
export interface StreamFormat<Message> {
  readonly contentType: string;
  readonly ping: string;
  encode(message: Message): string;
}

/** Longer bursts are written in parts. */
const burstLength = 64 * 1024;

export class ClientStream<Message> {
  readonly #response: ServerResponse;
  readonly #format: StreamFormat<Message>;
  readonly #stalledMs: number;
  readonly #pings: NodeJS.Timeout;
  #pending = '';
  #blocked: Promise<void> | undefined;

  /** Sends the headers immediately, so that the client knows it is being served. */
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

  /** Returns a promise if the client has to catch up first; await it before sending more. */
  send(message: Message): Promise<void> | undefined {
    this.#add(this.#format.encode(message));
    return this.#blocked;
  }

  end(): void {
    clearInterval(this.#pings);
    this.#flush();
    this.#response.end();
  }

  /** Cuts the connection, so that the client doesn't take what it got for everything. */
  abort(): void {
    clearInterval(this.#pings);
    this.#response.destroy();
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
      const resume = () => {
        clearTimeout(stalled);
        response.off('drain', resume).off('close', resume);
        this.#blocked = undefined;
        resolve();
      };
      response.once('drain', resume).once('close', resume);
    });
  }
}

/** The headers set by the policy, for a response that is written without the framework. */
export function headersOf(reply: FastifyReply): Record<string, string | string[] | number> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
