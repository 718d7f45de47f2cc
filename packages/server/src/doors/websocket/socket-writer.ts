// Writes to one socket at the pace of its reader: waits while the reader is behind, and disconnects one that has
// stopped. The buffer is bounded; the reader resumes by number.
import { ParleyError } from '@parley/protocol';
import type { WebSocket } from 'ws';

export interface WriterLimits {
  /** Bytes that may wait in a socket before the writer does. */
  readonly bufferedBytes: number;
  /** A client that reads nothing for this long is disconnected. */
  readonly stalledMs: number;
  /** How often an idle socket is asked whether it is still there. */
  readonly pingMs: number;
}

/** Why a socket was closed, as its client sees it. */
export const closeCodes = {
  ended: 1000,
  stopping: 1001,
  /** Reconnect with `?after`. */
  lagged: 1013,
  failed: 1011,
  /** Somebody else uses the session. */
  taken: 4409,
  loggedOut: 4401,
} as const;

/** How long a closing socket has for the closing handshake. */
const goodbyeMs = 2_000;

export class SocketWriter {
  readonly #socket: WebSocket;
  readonly #limits: WriterLimits;
  readonly #pings: NodeJS.Timeout;
  #isAlive = true;

  constructor(socket: WebSocket, limits: WriterLimits) {
    this.#socket = socket;
    this.#limits = limits;
    this.#pings = setInterval(() => this.#ping(), limits.pingMs).unref();
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    socket.once('close', () => clearInterval(this.#pings));
    // The socket closes itself after an error; without a listener it would end the process.
    socket.on('error', () => undefined);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Whether more bytes wait in the socket than should. */
  get isBehind(): boolean {
    return this.#socket.bufferedAmount > this.#limits.bufferedBytes;
  }

  /** Returns a promise if the client has to catch up first; await it before the next message. */
  send(
    message: string | Buffer,
    options: { binary: boolean } = { binary: false },
  ): Promise<void> | undefined {
    if (!this.isOpen) return undefined;
    if (this.#socket.bufferedAmount + message.length <= this.#limits.bufferedBytes) {
      this.#socket.send(message, options);
      return undefined;
    }
    return new Promise((resolve) => {
      const stalled = setTimeout(() => this.#socket.terminate(), this.#limits.stalledMs).unref();
      // Called when the bytes are sent, or with an error if the socket closes first.
      this.#socket.send(message, options, () => {
        clearTimeout(stalled);
        resolve();
      });
    });
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, shortened(reason));
    const leave = setTimeout(() => this.#socket.terminate(), goodbyeMs).unref();
    this.#socket.once('close', () => clearTimeout(leave));
  }

  /** Closes with the signal's reason. */
  closeOn(signal: AbortSignal): void {
    const close = () => {
      const reason: unknown = signal.reason;
      const { code, message } = reason instanceof ParleyError ? reason : stopping;
      this.close(code === 'unauthenticated' ? closeCodes.loggedOut : closeCodes.stopping, message);
    };
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { once: true });
  }

  #ping(): void {
    // A reader that is behind has its own time limit, and cannot answer a ping that waits behind messages.
    if (this.#socket.bufferedAmount > 0) return;
    if (!this.#isAlive) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.#socket.ping();
  }
}

const stopping = new ParleyError('unavailable', 'The server is stopping.');

/** A close frame has room for 123 bytes. */
function shortened(reason: string): string {
  return Buffer.byteLength(reason) <= 123 ? reason : `${reason.slice(0, 40)}…`;
}
