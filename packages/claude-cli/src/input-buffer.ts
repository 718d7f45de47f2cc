// Holds input while a session starts or is paused. Bounded in lines and bytes.

import { ClaudeCliError } from './errors.ts';
import { abandonable } from './unhandled-rejections.ts';

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (reason: ClaudeCliError) => void;
  /** Set once the line was written, even if the program is not ready yet. */
  written?: Promise<void> | undefined;
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
    return abandonable(
      new Promise<void>((resolve, reject) => {
        this.#waiting.push({ line, resolve, reject });
      }),
    );
  }

  /** Writes everything, in order, and still counts it as waiting. */
  write(write: (line: string) => Promise<void>): void {
    for (const waiting of this.#waiting) waiting.written ??= abandonable(write(waiting.line));
  }

  /** Call if the program did not start: everything is written again to the next one. */
  rewind(): void {
    for (const waiting of this.#waiting) waiting.written = undefined;
  }

  /** Sends everything, in order. */
  flush(write: (line: string) => Promise<void>): void {
    this.write(write);
    for (const { written, resolve, reject } of this.#take()) written?.then(resolve, reject);
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
