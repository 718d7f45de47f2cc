// What a page sends, carried out in order. A page that sends faster than that is not read from for a while.
import type { RawData, WebSocket } from 'ws';

/** Messages that may wait; the socket is read again when half of them are done. */
const mostWaiting = 64;

export class Inbox {
  readonly #socket: WebSocket;
  readonly #perform: (text: string) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #gate: { readonly opened: Promise<void>; readonly open: () => void };
  #last: Promise<void>;
  #waiting = 0;

  /** Listens at once, so that no message is missed; carries out nothing before `open`. */
  constructor(
    socket: WebSocket,
    perform: (text: string) => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#socket = socket;
    this.#perform = perform;
    this.#onError = onError;
    this.#gate = gate();
    this.#last = this.#gate.opened;
    socket.on('message', (data, isBinary) => this.#take(data, isBinary));
  }

  open(): void {
    this.#gate.open();
  }

  #take(data: RawData, isBinary: boolean): void {
    this.#waiting += 1;
    if (this.#waiting >= mostWaiting) this.#socket.pause();
    const text = isBinary ? '' : (data as Buffer).toString();
    this.#last = this.#last
      .then(() => this.#perform(text))
      .catch(this.#onError)
      .finally(() => {
        this.#waiting -= 1;
        if (this.#waiting <= mostWaiting / 2 && this.#socket.isPaused) this.#socket.resume();
      });
  }
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
