// One WebSocket for every subscription, all notifications and presence. It is open while somebody follows something,
// comes back by itself, and resumes each subscription after the last event it delivered.
import type { LiveClientMessage, LiveServerMessage, SessionId } from '@parley/protocol';
import { Backoff } from './backoff.ts';
import type { WatchedEnvironment } from './environment.ts';
import { ApiError, type Http } from './http.ts';
import { Value } from './observable.ts';
import { Subscriptions } from './subscriptions.ts';
import {
  type ConnectionState,
  closed,
  type FollowOptions,
  type Notification,
  type Transport,
} from './transport.ts';

/** As much of a WebSocket as the client needs: a browser's, Node's, and the one of `ws` fit. */
export interface WebSocketLike {
  send(data: string): void;
  close(code?: number): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
}

/** `ws` takes headers as its third argument. Browsers ignore it: there, a cookie says who connects. */
export type WebSocketConstructor = new (
  url: string,
  protocols?: string[],
  options?: { readonly headers: Readonly<Record<string, string>> },
) => WebSocketLike;

const loggedOut = 4401;
/** A page that changes views leaves one session and enters another: the socket stays open that long for the next one. */
const lingerMs = 1_000;

export class LiveSocket implements Transport {
  readonly connection = new Value<ConnectionState>('connecting');
  readonly #http: Http;
  readonly #newSocket: ((url: string) => WebSocketLike) | undefined;
  readonly #environment: WatchedEnvironment;
  readonly #onUnauthorized: (() => void) | undefined;
  readonly #subscriptions = new Subscriptions((message) => this.#send(message));
  readonly #listeners = new Map<(notification: Notification) => void, (error: ApiError) => void>();
  readonly #backoff = new Backoff();
  readonly #unwatch: () => void;
  #socket: WebSocketLike | undefined;
  #isOpen = false;
  #isClosed = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #linger: ReturnType<typeof setTimeout> | undefined;

  constructor(
    http: Http,
    environment: WatchedEnvironment,
    options: {
      readonly WebSocket?: WebSocketConstructor | undefined;
      readonly onUnauthorized?: (() => void) | undefined;
    },
  ) {
    this.#http = http;
    this.#environment = environment;
    this.#newSocket = socketMaker(options.WebSocket, http.headers);
    this.#onUnauthorized = options.onUnauthorized;
    this.#unwatch = environment.surroundings.subscribe(() => this.#surroundingsChanged());
  }

  follow(session: SessionId, { signal, ...options }: FollowOptions): Promise<void> {
    return this.#untilAborted(signal, (fail) => this.#subscriptions.join(session, { ...options, fail }));
  }

  notifications({
    signal,
    onNotification,
  }: {
    readonly signal: AbortSignal;
    readonly onNotification: (notification: Notification) => void;
  }): Promise<void> {
    return this.#untilAborted(signal, (fail) => {
      const listener = (notification: Notification) => onNotification(notification);
      this.#listeners.set(listener, fail);
      return () => this.#listeners.delete(listener);
    });
  }

  restart(): void {
    const socket = this.#drop();
    socket?.close();
    this.#wake();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unwatch();
    this.#failAll(closed);
    clearTimeout(this.#linger);
    this.#drop()?.close();
  }

  #untilAborted(signal: AbortSignal, join: (fail: (error: ApiError) => void) => () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return resolve();
      if (this.#isClosed) return reject(closed);
      if (!this.#newSocket) return reject(noWebSocket);
      const finish = (end: () => void) => {
        signal.removeEventListener('abort', aborted);
        leave();
        this.#sleepWhenUnused();
        end();
      };
      const aborted = () => finish(resolve);
      const leave = join((error) => finish(() => reject(error)));
      signal.addEventListener('abort', aborted);
      clearTimeout(this.#linger);
      this.#wake();
    });
  }

  #send(message: LiveClientMessage): void {
    if (this.#isOpen) this.#socket?.send(JSON.stringify(message));
  }

  /** A program that is no page says nothing about people who look at it. */
  #sendPresence(): void {
    const { isPage, surroundings } = this.#environment;
    if (isPage) this.#send({ type: 'presence', visible: surroundings.snapshot().visible });
  }

  #isUsed(): boolean {
    return this.#subscriptions.size > 0 || this.#listeners.size > 0;
  }

  #wake(): void {
    if (this.#socket || this.#retry !== undefined || this.#isClosed || !this.#isUsed()) return;
    this.#connect();
  }

  #sleepWhenUnused(): void {
    if (this.#isUsed()) return;
    clearTimeout(this.#linger);
    this.#linger = setTimeout(() => {
      if (this.#isUsed()) return;
      this.#drop()?.close();
      this.connection.set('connecting');
    }, lingerMs);
  }

  #connect(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    const socket = this.#newSocket?.(this.#http.address('/api/live').replace(/^http/, 'ws'));
    this.#socket = socket;
    if (!socket) return;
    const ifCurrent =
      <Args extends unknown[]>(run: (...args: Args) => void) =>
      (...args: Args) => {
        if (this.#socket === socket) run(...args);
      };
    socket.addEventListener(
      'open',
      ifCurrent(() => this.#opened()),
    );
    socket.addEventListener(
      'message',
      ifCurrent(({ data }: { readonly data: unknown }) => {
        if (typeof data === 'string') this.#receive(JSON.parse(data) as LiveServerMessage);
      }),
    );
    socket.addEventListener(
      'close',
      ifCurrent(({ code, reason }: { readonly code: number; readonly reason: string }) =>
        this.#lost(code, reason),
      ),
    );
    // `close` follows. Without a listener, `ws` would throw.
    socket.addEventListener('error', () => undefined);
  }

  #opened(): void {
    this.#isOpen = true;
    this.#backoff.reset();
    this.#sendPresence();
    this.#subscriptions.connected();
    this.connection.set('open');
  }

  #receive(message: LiveServerMessage): void {
    switch (message.type) {
      case 'subscribed':
      case 'event':
      case 'ended':
      case 'presence':
      case 'error':
        this.#subscriptions.receive(message);
        return;
      case 'notification':
        for (const listener of this.#listeners.keys()) listener({ name: message.name, data: message.data });
        return;
      default:
        // A newer server may send more than this version knows.
        message satisfies never;
    }
  }

  #lost(code: number, reason: string): void {
    const wasOpen = this.#isOpen;
    this.#drop();
    if (code === loggedOut) {
      this.#onUnauthorized?.();
      this.#failAll(new ApiError(401, 'unauthenticated', reason));
      return;
    }
    this.connection.set('lost');
    this.#retry = setTimeout(() => this.#connectAgain(), this.#backoff.next());
    // A refused WebSocket does not say why. An ordinary request does.
    if (!wasOpen) void this.#checkLogin();
  }

  async #checkLogin(): Promise<void> {
    try {
      await this.#http.request('/api/me');
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) return;
      this.#drop()?.close();
      this.#failAll(error);
    }
  }

  #connectAgain(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    if (this.#isUsed() && !this.#isClosed) this.#connect();
  }

  /** Forgets the socket; returns it so that it can be closed. */
  #drop(): WebSocketLike | undefined {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isOpen = false;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#subscriptions.disconnected();
    return socket;
  }

  #failAll(error: ApiError): void {
    this.#subscriptions.failAll(error);
    for (const fail of this.#listeners.values()) fail(error);
  }

  #surroundingsChanged(): void {
    const { online, visible } = this.#environment.surroundings.snapshot();
    // Without a network a connection does not break, it only falls silent.
    if (!online && this.#socket) {
      this.#drop()?.close();
      this.connection.set('lost');
      this.#retry = setTimeout(() => this.#connectAgain(), this.#backoff.next());
      return;
    }
    this.#sendPresence();
    if (online && visible && this.#retry !== undefined) this.#connectAgain();
  }
}

function socketMaker(
  Given: WebSocketConstructor | undefined,
  headers: Readonly<Record<string, string>>,
): ((url: string) => WebSocketLike) | undefined {
  if (Given) return (url) => new Given(url, [], { headers });
  const { WebSocket: Global } = globalThis as {
    WebSocket?: new (url: string, options?: object) => WebSocketLike;
  };
  // Node's own WebSocket takes headers in its second argument.
  const options = Object.keys(headers).length > 0 ? [{ headers }] : [];
  return Global && ((url) => new Global(url, ...options));
}

const noWebSocket = new ApiError(
  0,
  'unavailable',
  'There is no WebSocket here. Pass one to createClient, or choose the transport "sse".',
);
