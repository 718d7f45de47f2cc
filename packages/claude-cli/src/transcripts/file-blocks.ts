// Reads a file in blocks. Backward, it yields lines from the end to the beginning, so the newest lines cost the same
// whatever the size of the file. Works on bytes: block borders may cut characters and lines anywhere.
import type { FileHandle } from 'node:fs/promises';
import { DEFAULT_MAX_LINE_BYTES, NEWLINE } from '../frames/line-splitter.ts';

const FIRST_BLOCK = 64 * 1024;
const LARGEST_BLOCK = 1024 * 1024;

export interface FileLine {
  readonly offset: number;
  /** Undefined if the line is too long. */
  readonly bytes: Buffer | undefined;
  /** False for the last line of a file that does not end in a newline. */
  readonly terminated: boolean;
}

export interface BackwardOptions {
  /** Reads what is before this offset, which must be the start of a line or the end of the file. */
  readonly end: number;
  readonly maxLineBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Yields the lines in groups, a group per block read; within a group the newest line comes first. */
export async function* linesBackward(file: FileHandle, options: BackwardOptions): AsyncGenerator<FileLine[]> {
  const open = new OpenLine(options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES);
  let position = options.end;
  let blockSize = FIRST_BLOCK;

  while (position > 0) {
    options.signal?.throwIfAborted();
    const length = Math.min(blockSize, position);
    let block = await readFully(file, position - length, length);
    // The file was truncated meanwhile, so the rest no longer belongs to it.
    if (block.length < length) return;
    if (position === options.end && block[length - 1] === NEWLINE) {
      open.terminated = true;
      block = block.subarray(0, -1);
    }
    position -= length;

    const lines: FileLine[] = [];
    let newline = block.lastIndexOf(NEWLINE);
    while (newline !== -1) {
      open.prepend(block.subarray(newline + 1));
      lines.push(open.take(position + newline + 1));
      block = block.subarray(0, newline);
      newline = block.lastIndexOf(NEWLINE);
    }
    open.prepend(block);
    if (position === 0) lines.push(open.take(0));
    if (lines.length > 0) yield lines;
    blockSize = Math.min(blockSize * 2, LARGEST_BLOCK);
  }
}

/** The line whose start has not been reached yet. Its parts are joined once. */
class OpenLine {
  terminated = false;
  readonly #maxLineBytes: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  prepend(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#maxLineBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  take(offset: number): FileLine {
    const whole = this.#size <= this.#maxLineBytes;
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts.toReversed());
    const line = { offset, bytes: whole ? bytes : undefined, terminated: this.terminated };
    this.#parts = [];
    this.#size = 0;
    this.terminated = true;
    return line;
  }
}

/** Reads until `length` bytes or the end of the file, because a single read may return fewer. */
export async function readFully(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled === length ? buffer : buffer.subarray(0, filled);
}
