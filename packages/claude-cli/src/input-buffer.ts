// Lines that wait while a session starts or is paused. Bounded in number and bytes.
import { ClaudeCliError } from './errors.ts';

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (reason: ClaudeCliError) => void;
}

export class InputBuffer {
  readonly #maxLines: number;
  readonly #maxBytes: number;
  #waiting: Waiting[] = [];
  #bytes = 0;

  constructor(limits: { readonly waitingInputs: number; readonly inputBytes: number }) {
    this.#maxLines = limits.waitingInputs;
    this.#maxBytes = limits.inputBytes;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Resolves when the line has been sent. */
  add(line: string): Promise<void> {
    const bytes = Buffer.byteLength(line);
    if (this.#waiting.length >= this.#maxLines || this.#bytes + bytes > this.#maxBytes) {
      const held = `${this.#waiting.length} inputs (${this.#bytes} bytes)`;
      return Promise.reject(
        new ClaudeCliError('input_full', `${held} are already waiting, which is the limit.`),
      );
    }
    this.#bytes += bytes;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
    });
  }

  /** Sends everything, in order. */
  flush(write: (line: string) => Promise<void>): void {
    for (const { line, resolve, reject } of this.#take()) write(line).then(resolve, reject);
  }

  clear(reason: ClaudeCliError): void {
    for (const { reject } of this.#take()) reject(reason);
  }

  #take(): Waiting[] {
    const taken = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    return taken;
  }
}
