// Carries out what a client sends, in order. Stops reading while too much waits.
import type { RawData, WebSocket } from 'ws';
import type { ByteAccount } from '../../basics/byte-budget.ts';

/** How much may wait; prompts can have large images. Reading resumes when it is down to half. */
const most = { messages: 64, bytes: 16 * 1024 * 1024 };

/** Returns a promise if the client has to catch up first. */
export type OnError = (error: unknown) => Promise<void> | undefined;

export class Inbox {
  readonly #socket: WebSocket;
  readonly #perform: (text: string) => Promise<void>;
  readonly #onError: OnError;
  readonly #memory: ByteAccount;
  readonly #gate: { readonly opened: Promise<void>; readonly open: () => void };
  #last: Promise<void>;
  #messages = 0;
  #bytes = 0;

  /** Listens at once, so that no message is missed, but carries out nothing before `open`. */
  constructor(
    socket: WebSocket,
    memory: ByteAccount,
    perform: (text: string) => Promise<void>,
    onError: OnError,
  ) {
    this.#socket = socket;
    this.#memory = memory;
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
    const { length } = data as Buffer;
    this.#messages += 1;
    this.#bytes += length;
    // It was counted as it arrived, so there is room for it.
    const taken = this.#memory.take(length) ? length : 0;
    if (!this.#isWithin(1)) this.#socket.pause();
    const text = isBinary ? '' : (data as Buffer).toString();
    this.#last = this.#last
      .then(() => this.#perform(text))
      .catch(this.#onError)
      .finally(() => {
        this.#messages -= 1;
        this.#bytes -= length;
        this.#memory.release(taken);
        if (this.#socket.isPaused && this.#isWithin(0.5)) this.#socket.resume();
      });
  }

  #isWithin(share: number): boolean {
    return this.#messages < most.messages * share && this.#bytes < most.bytes * share;
  }
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
