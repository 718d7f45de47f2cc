// Turns lines into frames. The bytes are never changed or serialized again: a reader that forwards a frame forwards its
// `text` or its `bytes`.
import { type Fields, isRecord } from '../fields.ts';
import type { FrameKind, StreamEvent } from './bodies.ts';
import { kindOf } from './frame-kind.ts';
import type { Frame } from './frame-types.ts';
import { frameHasUsefulContent } from './useful-content.ts';

export type { Frame, FrameOfKind } from './frame-types.ts';

/** The frame in a line, or undefined if the line is not a JSON object. */
export function parseFrame(line: Buffer): Frame | undefined {
  let text: string;
  let body: unknown;
  try {
    text = line.toString();
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isRecord(body) ? (new ParsedFrame(line, text, body) as Frame) : undefined;
}

/**
 * A line that is parsed only when somebody asks, because most frames of a busy session are small deltas that are only
 * forwarded.
 */
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

/** The Messages API event inside a frame, wrapped or bare. */
export function streamEventOf(frame: Frame): StreamEvent | undefined {
  if (frame.kind === 'stream_event') return frame.body.event;
  return frame.kind === 'bare_stream_event' ? frame.body : undefined;
}

class ParsedFrame {
  readonly kind: FrameKind;
  readonly bytes: Buffer;
  readonly text: string;
  readonly body: Fields;

  constructor(bytes: Buffer, text: string, body: Fields) {
    this.kind = kindOf(body);
    this.bytes = bytes;
    this.text = text;
    this.body = body;
  }

  get hasUsefulContent(): boolean {
    return frameHasUsefulContent(this as unknown as Frame);
  }

  get uuid(): string | undefined {
    return stringField(this.body, 'uuid');
  }

  get timestamp(): string | undefined {
    return stringField(this.body, 'timestamp');
  }

  get sessionId(): string | undefined {
    return stringField(this.body, 'session_id') ?? stringField(this.body, 'sessionId');
  }
}

function stringField(body: Fields, key: string): string | undefined {
  const value = body[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
