// Server-sent events over fetch: one stream for each subscription. Resumes after the last event it saw.
import type { SessionId, SessionNotification } from '@parley/protocol';
import { Backoff, pause } from './backoff.ts';
import type { WatchedEnvironment } from './environment.ts';
import { ApiError, type Http } from './http.ts';
import { ObservableValue } from './observable.ts';
import { type StreamEvent, streamEvents, toEnvelope } from './stream-events.ts';
import {
  type ConnectionState,
  closed,
  type FollowOptions,
  isTemporary,
  type NotificationOptions,
  type Transport,
} from './transport.ts';

/** The server sends something every five seconds, so a stream that is silent for this long is broken. */
const silentMs = 15_000;
/** Opening takes longer if the server first has to find out which server owns the session. */
const openMs = 30_000;

export class EventStreams implements Transport {
  readonly connection = new ObservableValue<ConnectionState>('connecting');
  readonly rights = new ObservableValue(0);
  readonly #http: Http;
  readonly #environment: WatchedEnvironment;
  /** The streams that are open, or broken and about to be opened again. */
  readonly #streams = new Map<object, 'open' | 'lost'>();
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

  /** Reads a stream until the signal aborts, and reconnects after every break. */
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
        const ending = AbortSignal.any([outer, this.#closing.signal]);
        const silence = new Silence();
        const signal = AbortSignal.any([ending, silence.signal]);
        try {
          const onOpen = () => {
            silence.heard();
            this.#report(stream, 'open');
          };
          const options = { lastId, signal, onOpen, onBytes: () => silence.heard() };
          for await (const event of streamEvents(this.#http, path, options)) {
            backoff.reset();
            if (event.id !== undefined) lastId = event.id;
            if (event.data !== '') onEvent(event);
          }
        } catch (error) {
          if (!signal.aborted && error instanceof ApiError && !isTemporary(error)) throw error;
        } finally {
          silence.close();
        }
        if (isOver()) break;
        this.#report(stream, 'lost');
        await pause(backoff.next(), this.#environment.pageState, ending);
      }
    } finally {
      this.#report(stream, undefined);
    }
    if (!outer.aborted) throw closed;
  }

  /** Without a state, the stream is over. */
  #report(stream: object, state: 'open' | 'lost' | undefined): void {
    if (state === undefined) this.#streams.delete(stream);
    else this.#streams.set(stream, state);
    const states = [...this.#streams.values()];
    if (states.includes('lost')) this.connection.set('lost');
    else this.connection.set(states.length > 0 ? 'open' : 'connecting');
  }
}

/** Aborts when nothing has arrived for too long: a connection to a machine that is gone doesn't break on its own. */
class Silence {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  #until = Date.now() + openMs;

  constructor() {
    this.#timer = setInterval(() => {
      if (Date.now() > this.#until) this.#controller.abort();
    }, 1_000);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    this.#until = Date.now() + silentMs;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
