// The end of a text that may never end.

export class TextTail {
  readonly #maxBytes: number;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk.subarray(-this.#maxBytes)]).subarray(-this.#maxBytes);
  }

  /** The last line that says something, without control characters. */
  get lastLine(): string {
    const lines = this.#bytes.toString('utf8').split('\n');
    const last = lines.findLast((line) => line.trim() !== '') ?? '';
    return last
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 300);
  }
}
