// One Parley server, seen from a browser or from Node.
import type { Envelope, Seq, SessionId, SessionNotification } from '@parley/protocol';
import type { ConnectionState, Conversation } from './conversation.ts';
import { createHttp, type Http, type HttpOptions } from './http.ts';
import { createSessions, type Sessions } from './sessions.ts';

export interface ClientOptions extends HttpOptions {
  /** Needed where there is no global WebSocket (Node before 22), or to send headers with it. */
  readonly WebSocket?: WebSocketConstructor | undefined;
  /** How events arrive: over one WebSocket for everything (default), or one event stream for each subscription. */
  readonly transport?: 'websocket' | 'sse' | undefined;
  readonly environment?: Environment | undefined;
}

/** What the page around the client knows. Without it, the client assumes a visible page that is always online. */
export interface Environment {
  /** Calls `changed` now and whenever the network or the page's visibility changes. Returns how to stop. */
  watch?(changed: (state: { readonly online: boolean; readonly visible: boolean }) => void): () => void;
  /** Runs something before the next drawing; returns how to cancel. Default: as soon as possible. */
  schedule?(run: () => void): () => void;
}

/** As much of a WebSocket as the client needs: a browser's, Node's and the one of `ws` all fit. */
export interface WebSocketLike {
  readonly readyState: number;
  send(data: string): void;
  close(code?: number): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  addEventListener(type: 'error', listener: () => void): void;
}

export type WebSocketConstructor = new (url: string) => WebSocketLike;

export interface SubscribeOptions {
  /** Events after this number; without it, only new ones. */
  readonly after?: Seq | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Notification {
  readonly name: string;
  readonly data: SessionNotification;
}

/** A value that changes. Both functions fit React's useSyncExternalStore. */
export interface Observable<T> {
  readonly snapshot: () => T;
  readonly subscribe: (listener: () => void) => () => void;
}

export interface ParleyClient extends Pick<Http, 'address' | 'request' | 'get' | 'send'> {
  readonly sessions: Sessions;
  /** Resumes by number after every break. Throws ApiError when the server refuses, or no longer has the events. */
  subscribe(session: SessionId, options?: SubscribeOptions): AsyncIterable<Envelope>;
  notifications(signal?: AbortSignal): AsyncIterable<Notification>;
  readonly connection: Observable<ConnectionState>;
  /** The same object for the same id while somebody uses it, and a few more that were used last. */
  conversation(id: SessionId): Conversation;
  /** Drops a conversation from the cache, for example because its session was deleted. */
  forget(id: SessionId): void;
  /** Drops every conversation and connects again, for example because another person logged in. */
  reconnect(): void;
  /** Closes the connection and ends every subscription. */
  close(): void;
}

export function createClient(options: ClientOptions): ParleyClient {
  const http = createHttp(options);
  const unfinished = (): never => {
    throw new Error('This part of the client is not written yet.');
  };
  return {
    address: http.address,
    request: http.request,
    get: http.get,
    send: http.send,
    sessions: createSessions(http),
    subscribe: unfinished,
    notifications: unfinished,
    connection: { snapshot: () => 'connecting', subscribe: () => () => {} },
    conversation: unfinished,
    forget: unfinished,
    reconnect: unfinished,
    close: () => {},
  };
}
