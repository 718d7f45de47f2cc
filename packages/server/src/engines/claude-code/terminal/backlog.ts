// Keeps the newest bytes of a screen for viewers who join late. Bounded. Cut at the end of a line, so that it doesn't
// start in the middle of a character or a control sequence.
const newline = 0x0a;

export class Backlog {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Uint8Array): void {
    // Copied, because the chunk may be a view of a much larger buffer.
    this.#chunks.push(Uint8Array.from(chunk));
    this.#bytes += chunk.length;
    while (this.#bytes > this.#limit) {
      const oldest = this.#chunks.shift();
      this.#bytes -= oldest?.length ?? 0;
      this.#isCut = true;
    }
  }

  read(): Uint8Array {
    const whole = Buffer.concat(this.#chunks);
    return this.#isCut ? whole.subarray(whole.indexOf(newline) + 1) : whole;
  }
}
