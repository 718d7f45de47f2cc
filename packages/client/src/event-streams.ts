// Server-sent events over fetch: one stream for each subscription. Resumes after the last event it saw.
import type { SessionId, SessionNotification } from '@parley/protocol';
import { Backoff, pause } from './backoff.ts';
import type { WatchedEnvironment } from './environment.ts';
import { ApiError, type Http } from './http.ts';
import { Value } from './observable.ts';
import { type StreamEvent, streamEvents, toEnvelope } from './stream-events.ts';
import {
  type ConnectionState,
  closed,
  type FollowOptions,
  type NotificationOptions,
  type Transport,
} from './transport.ts';

export class EventStreams implements Transport {
  readonly connection = new Value<ConnectionState>('connecting');
  readonly rights = new Value(0);
  readonly #http: Http;
  readonly #environment: WatchedEnvironment;
  readonly #broken = new Set<object>();
  readonly #closing = new AbortController();

  constructor(http: Http, environment: WatchedEnvironment) {
    this.#http = http;
    this.#environment = environment;
  }

  follow(session: SessionId, { after, signal, onEvent }: FollowOptions): Promise<void> {
    const path = `/api/sessions/${encodeURIComponent(session)}/events`;
    let last = after;
    return this.#read(path, after, signal, (event) => {
      const envelope = toEnvelope(event);
      if (last !== undefined && envelope.seq <= last) return;
      last = envelope.seq;
      onEvent(envelope);
    });
  }

  notifications({ signal, onNotification }: NotificationOptions): Promise<void> {
    return this.#read('/api/notifications', undefined, signal, ({ event, data }) => {
      onNotification({ name: event ?? 'message', data: JSON.parse(data) as SessionNotification });
    });
  }

  close(): void {
    this.#closing.abort(closed);
  }

  /** Reads a stream, and again after every break, until the signal aborts. */
  async #read(
    path: string,
    after: number | undefined,
    outer: AbortSignal,
    onEvent: (event: StreamEvent) => void,
  ): Promise<void> {
    const backoff = new Backoff();
    const stream = {};
    let lastId = after === undefined ? undefined : String(after);
    const isOver = () => outer.aborted || this.#closing.signal.aborted;
    try {
      while (!isOver()) {
        const signal = AbortSignal.any([outer, this.#closing.signal]);
        try {
          const onOpen = () => this.#setBroken(stream, false);
          for await (const event of streamEvents(this.#http, path, { lastId, signal, onOpen })) {
            backoff.reset();
            if (event.id !== undefined) lastId = event.id;
            if (event.data !== '') onEvent(event);
          }
        } catch (error) {
          if (!signal.aborted && isRefusal(error)) throw error;
        }
        if (isOver()) break;
        this.#setBroken(stream, true);
        await pause(backoff.next(), this.#environment.surroundings, signal);
      }
    } finally {
      this.#broken.delete(stream);
    }
    if (!outer.aborted) throw closed;
  }

  #setBroken(stream: object, isBroken: boolean): void {
    if (isBroken) this.#broken.add(stream);
    else this.#broken.delete(stream);
    this.connection.set(this.#broken.size > 0 ? 'lost' : 'open');
  }
}

/** Trying again would not help. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}
