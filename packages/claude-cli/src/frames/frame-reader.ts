// Chunks in, frames out. A line that cannot be used is skipped, counted and reported, and the stream continues.
import { type Frame, parseFrame } from './frame.ts';
import { LineSplitter } from './line-splitter.ts';

export interface FrameWarning {
  /** `torn` is a last line without newline that is not a complete JSON object. */
  readonly reason: 'invalid_json' | 'overlong' | 'torn';
  readonly size: number;
  readonly offset: number;
  /** A sentence without any of the line's content, safe for a log. */
  readonly message: string;
}

export interface FrameReaderOptions {
  readonly onFrame: (frame: Frame) => void;
  readonly onWarning?: (warning: FrameWarning) => void;
  readonly maxLineBytes?: number;
}

export class FrameReader {
  readonly #splitter: LineSplitter;
  readonly #onFrame: (frame: Frame) => void;
  readonly #onWarning: ((warning: FrameWarning) => void) | undefined;
  #frames = 0;
  #invalid = 0;

  constructor(options: FrameReaderOptions) {
    this.#onFrame = options.onFrame;
    this.#onWarning = options.onWarning;
    this.#splitter = new LineSplitter({
      ...(options.maxLineBytes === undefined ? {} : { maxLineBytes: options.maxLineBytes }),
      onLine: (line, offset, terminated) => this.#read(line, offset, terminated),
      onOverlong: (size, offset) => this.#warn('overlong', size, offset),
    });
  }

  /** How many frames were read, and how many lines were skipped. */
  get counts(): { readonly frames: number; readonly invalid: number; readonly overlong: number } {
    return { frames: this.#frames, invalid: this.#invalid, overlong: this.#splitter.overlong };
  }

  push(chunk: Buffer): void {
    this.#splitter.push(chunk);
  }

  end(): void {
    this.#splitter.end();
  }

  #read(line: Buffer, offset: number, terminated: boolean): void {
    const frame = parseFrame(line);
    if (frame) {
      this.#frames += 1;
      this.#onFrame(frame);
      return;
    }
    if (isBlank(line)) return;
    this.#invalid += 1;
    this.#warn(terminated ? 'invalid_json' : 'torn', line.length, offset);
  }

  #warn(reason: FrameWarning['reason'], size: number, offset: number): void {
    this.#onWarning?.({ reason, size, offset, message: skippedLine[reason](size) });
  }
}

/** What to say about a line that was skipped. */
export const skippedLine: Record<FrameWarning['reason'], (size: number) => string> = {
  invalid_json: (size) => `Skipped a line of ${size} bytes that is not a JSON object.`,
  overlong: (size) => `Skipped a line of ${size} bytes, which is over the limit for one line.`,
  torn: (size) => `Skipped the last line of ${size} bytes, which is incomplete.`,
};

export function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
