// Cuts a stream of chunks into lines at byte 0x0A only: U+2028 and U+2029 occur raw inside JSON strings. Works on
// bytes, so a multi-byte character may be split anywhere. Synchronous, because a promise per line would cost more than
// the line.

export const NEWLINE = 0x0a;

export const DEFAULT_MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface LineSplitterOptions {
  /**
   * Called for each line without its newline, with the offset of its first byte in the stream. The line may
   * share memory with the chunk it came from: copy it before keeping it. `terminated` is false only for a
   * last line that the stream ended without a newline.
   */
  readonly onLine: (line: Buffer, offset: number, terminated: boolean) => void;
  /** Called once for each line that was skipped because it grew over `maxLineBytes`, with its whole size. */
  readonly onOverlong?: (size: number, offset: number) => void;
  readonly maxLineBytes?: number;
  /** Offset of the first byte that will be pushed, for a reader that starts inside a file. */
  readonly startOffset?: number;
}

export class LineSplitter {
  /** How many lines were skipped because they were too long. */
  overlong = 0;

  readonly #onLine: LineSplitterOptions['onLine'];
  readonly #onOverlong: LineSplitterOptions['onOverlong'];
  readonly #maxLineBytes: number;
  /** The parts of an unfinished line; joined once, so that a long line takes linear time. */
  #parts: Buffer[] = [];
  #partsSize = 0;
  #lineOffset: number;
  #skipping = false;

  constructor(options: LineSplitterOptions) {
    this.#onLine = options.onLine;
    this.#onOverlong = options.onOverlong;
    this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
    this.#lineOffset = options.startOffset ?? 0;
  }

  /** How many bytes of the unfinished line are held: none while a line is being skipped. */
  get pendingBytes(): number {
    return this.#parts.reduce((sum, part) => sum + part.length, 0);
  }

  /** Takes the next chunk, which must not be overwritten afterwards: an unfinished line refers to it. */
  push(chunk: Buffer): void {
    let start = 0;
    let newline = chunk.indexOf(NEWLINE);
    while (newline !== -1) {
      const line = chunk.subarray(start, newline);
      if (this.#partsSize > 0 || line.length > this.#maxLineBytes) this.#finishLine(line, true);
      else {
        // Almost every line is within one chunk.
        const offset = this.#lineOffset;
        this.#lineOffset = offset + line.length + 1;
        this.#onLine(line, offset, true);
      }
      start = newline + 1;
      newline = start < chunk.length ? chunk.indexOf(NEWLINE, start) : -1;
    }
    if (start < chunk.length) this.#hold(start === 0 ? chunk : chunk.subarray(start));
  }

  /** Call at the end of the stream: reports a last line without a newline. */
  end(): void {
    if (this.#partsSize > 0 || this.#skipping) this.#finishLine(Buffer.alloc(0), false);
  }

  #finishLine(tail: Buffer, terminated: boolean): void {
    const offset = this.#lineOffset;
    const size = this.#partsSize + tail.length;
    this.#lineOffset = offset + size + (terminated ? 1 : 0);

    if (size > this.#maxLineBytes) {
      this.#dropParts();
      this.#skipping = false;
      this.overlong += 1;
      this.#onOverlong?.(size, offset);
      return;
    }
    if (this.#partsSize === 0) {
      this.#onLine(tail, offset, terminated);
      return;
    }
    if (tail.length > 0) this.#parts.push(tail);
    const line = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts, size);
    this.#dropParts();
    this.#onLine(line, offset, terminated);
  }

  #hold(part: Buffer): void {
    this.#partsSize += part.length;
    if (this.#skipping) return;
    if (this.#partsSize > this.#maxLineBytes) {
      this.#parts = [];
      this.#skipping = true;
      return;
    }
    this.#parts.push(part);
  }

  #dropParts(): void {
    this.#parts = [];
    this.#partsSize = 0;
  }
}
