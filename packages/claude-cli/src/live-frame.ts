// A frame from the program's stdout. It is parsed only when somebody asks, because most frames of a busy session are
// small deltas that are only forwarded.
import { type Frame, parseFrame } from './frames/frame.ts';

export class LiveFrame {
  /** The line exactly as the program wrote it, without its newline. */
  readonly bytes: Buffer;
  /** The top-level `type`. */
  readonly type: string | undefined;
  #parsed: Frame | undefined;

  constructor(bytes: Buffer, type: string | undefined, parsed?: Frame) {
    this.bytes = bytes;
    this.type = type;
    this.#parsed = parsed;
  }

  /** The typed view, or undefined when the line turns out not to be JSON. */
  get frame(): Frame | undefined {
    this.#parsed ??= parseFrame(this.bytes);
    return this.#parsed;
  }
}

const DELTA_START = Buffer.from('{"type":"stream_event",');
const CLOSING_BRACE = 0x7d;

/**
 * Whether a line is certainly a stream event, without parsing it. `false` means nothing: the type may be elsewhere in
 * the line.
 */
export function isSurelyStreamEvent(line: Buffer): boolean {
  if (line[line.length - 1] !== CLOSING_BRACE) return false;
  for (let at = 0; at < DELTA_START.length; at += 1) if (line[at] !== DELTA_START[at]) return false;
  return true;
}
