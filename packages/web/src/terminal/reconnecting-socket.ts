// A WebSocket that reconnects by itself.
import { address } from '../client.ts';
import { t } from '../i18n/translate.ts';

export interface SocketOptions {
  readonly path: string;
  readonly onMessage: (data: string | ArrayBuffer) => void;
  readonly onState: (state: SocketState) => void;
}

export type SocketState =
  | { readonly type: 'connecting' }
  | { readonly type: 'open' }
  /** Tries again. */
  | { readonly type: 'lost' }
  /** Gave up: the session was closed, or the server refuses. */
  | { readonly type: 'ended'; readonly reason: string };

const firstPauseMs = 400;
const longestPauseMs = 8_000;
const ended = 1000;
const failed = 1011;
const loggedOut = 4401;
const brokenOff = 1006;

export class ReconnectingSocket {
  readonly #options: SocketOptions;
  #socket: WebSocket | undefined;
  #pauseMs = firstPauseMs;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(options: SocketOptions) {
    this.#options = options;
    window.addEventListener('online', this.#hurry);
    window.addEventListener('offline', this.#giveUp);
    document.addEventListener('visibilitychange', this.#hurry);
    this.#connect();
  }

  /** False if there is no connection. */
  send(data: string | Uint8Array<ArrayBuffer>): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(data);
    return true;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    window.removeEventListener('online', this.#hurry);
    window.removeEventListener('offline', this.#giveUp);
    document.removeEventListener('visibilitychange', this.#hurry);
    this.#socket?.close();
  }

  #connect(): void {
    this.#options.onState({ type: 'connecting' });
    const url = address(this.#options.path);
    const socket = new WebSocket(url.replace(/^http/, 'ws'));
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    const isCurrent = () => this.#socket === socket && !this.#isClosed;
    socket.addEventListener('open', () => {
      if (!isCurrent()) return;
      this.#pauseMs = firstPauseMs;
      this.#options.onState({ type: 'open' });
    });
    socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (isCurrent()) this.#options.onMessage(data);
    });
    socket.addEventListener('close', ({ code, reason }) => {
      if (isCurrent()) this.#lost(code, reason);
    });
  }

  #lost(code: number, reason: string): void {
    if (code === loggedOut) {
      location.reload();
      return;
    }
    if (code === ended || (code === failed && reason !== '' && reason !== 'failed')) {
      this.#options.onState({ type: 'ended', reason: reason === '' ? t('The session was closed.') : reason });
      return;
    }
    this.#options.onState({ type: 'lost' });
    this.#timer = setTimeout(() => this.#retry(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }

  #retry(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#connect();
  }

  /** Without a network a connection does not break; it only falls silent. */
  readonly #giveUp = () => {
    const silent = this.#socket;
    if (silent?.readyState !== WebSocket.OPEN) return;
    this.#socket = undefined;
    silent.close();
    this.#lost(brokenOff, '');
  };

  /** The network is back, or the page is visible again: no reason to wait. */
  readonly #hurry = () => {
    if (this.#timer !== undefined && document.visibilityState === 'visible') this.#retry();
  };
}
