// One WebSocket for every subscription, all notifications and presence. It is open while somebody follows something,
// reconnects on its own, and resumes each subscription after the last event that it delivered.
import type { LiveClientMessage, LiveServerMessage, SessionId } from '@parley/protocol';
import type { WatchedEnvironment } from './environment.ts';
import { ApiError, type Http } from './http.ts';
import { ObservableValue } from './observable.ts';
import {
  loggedOutCode,
  ReconnectingSocket,
  type SocketEnd,
  type WebSocketLike,
} from './reconnecting-socket.ts';
import { Subscriptions } from './subscriptions.ts';
import {
  type ConnectionState,
  closed,
  type FollowOptions,
  type Notification,
  type NotificationOptions,
  type Transport,
} from './transport.ts';

/** A page that changes views leaves one session and enters another, so the socket stays open for a moment. */
const lingerMs = 1_000;

export class LiveSocket implements Transport {
  readonly connection = new ObservableValue<ConnectionState>('connecting');
  readonly rights = new ObservableValue(0);
  readonly #http: Http;
  readonly #environment: WatchedEnvironment;
  readonly #onUnauthorized: (() => void) | undefined;
  readonly #subscriptions = new Subscriptions((message) => this.#send(message));
  readonly #listeners = new Map<(notification: Notification) => void, (error: ApiError) => void>();
  /** Undefined where there is no WebSocket. */
  readonly #socket: ReconnectingSocket | undefined;
  readonly #unwatch: () => void;
  #isClosed = false;
  #linger: ReturnType<typeof setTimeout> | undefined;

  constructor(
    http: Http,
    environment: WatchedEnvironment,
    openSocket: ((path: string) => WebSocketLike) | undefined,
    onUnauthorized: (() => void) | undefined,
  ) {
    this.#http = http;
    this.#environment = environment;
    this.#onUnauthorized = onUnauthorized;
    this.#socket =
      openSocket &&
      new ReconnectingSocket(() => openSocket('/api/live'), environment, {
        onOpen: () => this.#opened(),
        onMessage: (data) => {
          if (typeof data === 'string') this.#receive(JSON.parse(data) as LiveServerMessage);
        },
        onLost: (end) => this.#lost(end),
      });
    this.#unwatch = environment.pageState.subscribe(() => this.#sendPresence());
  }

  follow(session: SessionId, { signal, ...options }: FollowOptions): Promise<void> {
    return this.#untilAborted(signal, (fail) => this.#subscriptions.join(session, { ...options, fail }));
  }

  notifications({ signal, onNotification }: NotificationOptions): Promise<void> {
    return this.#untilAborted(signal, (fail) => {
      const listener = (notification: Notification) => onNotification(notification);
      this.#listeners.set(listener, fail);
      return () => this.#listeners.delete(listener);
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unwatch();
    this.#failAll(closed);
    clearTimeout(this.#linger);
    this.#disconnect();
    this.#socket?.close();
  }

  #untilAborted(signal: AbortSignal, join: (fail: (error: ApiError) => void) => () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return resolve();
      if (this.#isClosed) return reject(closed);
      if (!this.#socket) return reject(noWebSocket);
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
    this.#socket?.send(JSON.stringify(message));
  }

  /** Only a page reports whether somebody is looking at it. */
  #sendPresence(): void {
    const { isPage, pageState } = this.#environment;
    if (isPage) this.#send({ type: 'presence', visible: pageState.snapshot().visible });
  }

  #isUsed(): boolean {
    return this.#subscriptions.size > 0 || this.#listeners.size > 0;
  }

  #wake(): void {
    if (!this.#isClosed && this.#isUsed()) this.#socket?.connect();
  }

  #sleepWhenUnused(): void {
    if (this.#isUsed()) return;
    clearTimeout(this.#linger);
    this.#linger = setTimeout(() => {
      if (this.#isUsed()) return;
      this.#disconnect();
      this.connection.set('connecting');
    }, lingerMs);
  }

  #opened(): void {
    // We may have missed a change in between.
    if (this.connection.snapshot() === 'lost') this.#rightsChanged();
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
      case 'rights.changed':
        this.#rightsChanged();
        return;
      case 'notification':
        for (const listener of this.#listeners.keys()) listener({ name: message.name, data: message.data });
        return;
      default:
        // A newer server may send more than this version knows.
        message satisfies never;
    }
  }

  #rightsChanged(): void {
    this.rights.set(this.rights.snapshot() + 1);
  }

  #lost({ code, reason, wasOpen }: SocketEnd): boolean {
    this.#subscriptions.disconnected();
    if (code === loggedOutCode) {
      this.#onUnauthorized?.();
      this.#failAll(new ApiError(401, 'unauthenticated', reason));
      return false;
    }
    this.connection.set('lost');
    // A refused WebSocket doesn't say why, but an ordinary request does.
    if (!wasOpen) void this.#checkLogin();
    return this.#isUsed() && !this.#isClosed;
  }

  async #checkLogin(): Promise<void> {
    try {
      await this.#http.request('/api/me');
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) return;
      this.#disconnect();
      this.#failAll(error);
    }
  }

  #disconnect(): void {
    this.#socket?.disconnect();
    this.#subscriptions.disconnected();
  }

  #failAll(error: ApiError): void {
    this.#subscriptions.failAll(error);
    for (const fail of this.#listeners.values()) fail(error);
  }
}

export const noWebSocket = new ApiError(
  0,
  'unavailable',
  'There is no WebSocket here. Pass one to createClient, or choose the transport "sse".',
);
