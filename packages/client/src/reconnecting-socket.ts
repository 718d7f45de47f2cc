// A WebSocket that reconnects on its own: after growing pauses, and at once when the network is back or the page is
// visible again.
import { Backoff } from './backoff.ts';
import type { WatchedEnvironment } from './environment.ts';
import type { Http } from './http.ts';

/** As much of a WebSocket as the client needs: the ones of browsers, Node and `ws` fit. */
export interface WebSocketLike {
  binaryType?: string;
  send(data: string | Uint8Array<ArrayBuffer>): void;
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

export interface SocketEnd {
  readonly code: number;
  readonly reason: string;
  readonly wasOpen: boolean;
}

export interface SocketHandlers {
  readonly onOpen: () => void;
  /** Text, or bytes as an ArrayBuffer. */
  readonly onMessage: (data: unknown) => void;
  /** Returns whether to connect again. */
  readonly onLost: (end: SocketEnd) => boolean;
}

/** The server closes a socket with this code when the login is over. */
export const loggedOutCode = 4401;
const abnormalClosure = 1006;

export class ReconnectingSocket {
  readonly #open: () => WebSocketLike;
  readonly #environment: WatchedEnvironment;
  readonly #handlers: SocketHandlers;
  readonly #backoff = new Backoff();
  readonly #unwatch: () => void;
  #socket: WebSocketLike | undefined;
  #isOpen = false;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(open: () => WebSocketLike, environment: WatchedEnvironment, handlers: SocketHandlers) {
    this.#open = open;
    this.#environment = environment;
    this.#handlers = handlers;
    this.#unwatch = environment.pageState.subscribe(() => this.#pageStateChanged());
  }

  /** Does nothing if it is connected or about to be. */
  connect(): void {
    if (this.#socket || this.#retry !== undefined) return;
    const socket = this.#open();
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    const isCurrent = () => this.#socket === socket;
    socket.addEventListener('open', () => {
      if (!isCurrent()) return;
      this.#isOpen = true;
      this.#backoff.reset();
      this.#handlers.onOpen();
    });
    socket.addEventListener('message', ({ data }) => {
      if (isCurrent()) this.#handlers.onMessage(data);
    });
    socket.addEventListener('close', ({ code, reason }) => {
      if (isCurrent()) this.#lost(code, reason);
    });
    // `close` follows. Without a listener, `ws` would throw.
    socket.addEventListener('error', () => undefined);
  }

  /** Returns false if there is no connection. */
  send(data: string | Uint8Array<ArrayBuffer>): boolean {
    if (this.#isOpen) this.#socket?.send(data);
    return this.#isOpen;
  }

  /** Stays disconnected until the next `connect`. */
  disconnect(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isOpen = false;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    socket?.close();
  }

  close(): void {
    this.#unwatch();
    this.disconnect();
  }

  #lost(code: number, reason: string): void {
    const wasOpen = this.#isOpen;
    this.disconnect();
    if (this.#handlers.onLost({ code, reason, wasOpen }))
      this.#retry = setTimeout(() => this.#connectAgain(), this.#backoff.next());
  }

  #connectAgain(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.connect();
  }

  #pageStateChanged(): void {
    const { online, visible } = this.#environment.pageState.snapshot();
    // Without a network, a connection doesn't break, it just falls silent.
    if (!online && this.#socket) this.#lost(abnormalClosure, '');
    else if (online && visible && this.#retry !== undefined) this.#connectAgain();
  }
}

/** Opens sockets to paths of the server. Undefined where there is no WebSocket. */
export function socketMaker(
  { personalAddress, headers }: Http,
  Given: WebSocketConstructor | undefined,
): ((path: string) => WebSocketLike) | undefined {
  const url = (path: string) => personalAddress(path).replace(/^http/, 'ws');
  if (Given) return (path) => new Given(url(path), [], { headers });
  const { WebSocket: Global } = globalThis as {
    WebSocket?: new (url: string, options?: object) => WebSocketLike;
  };
  // Node's own WebSocket takes headers in its second argument.
  const options = Object.keys(headers).length > 0 ? [{ headers }] : [];
  return Global && ((path) => new Global(url(path), ...options));
}
