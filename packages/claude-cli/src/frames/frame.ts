// A frame is one line of JSON exactly as the program wrote it, with a typed view of what is in it. The bytes
// are never changed and never serialised anew: a reader that forwards a frame forwards `text` or `bytes`.
import type { FrameBodies, FrameKind, StreamEvent } from './bodies.ts';
import { kindOf } from './frame-kind.ts';
import { frameHasUsefulContent } from './useful-content.ts';

interface FrameOf<Kind extends FrameKind> {
  readonly kind: Kind;
  /** The line as it came, without its newline. May share memory with its chunk: copy before keeping. */
  readonly bytes: Buffer;
  /** The line decoded as UTF-8. */
  readonly text: string;
  /** The parsed line. A foreign object: a key named `__proto__` is an own property in it and does nothing. */
  readonly body: FrameBodies[Kind];
  /** Whether a person who reads the conversation would miss it. */
  readonly hasUsefulContent: boolean;
  readonly uuid: string | undefined;
  readonly sessionId: string | undefined;
}

/** Discriminated by `kind`. */
export type Frame = { [Kind in FrameKind]: FrameOf<Kind> }[FrameKind];

export type FrameOfKind<Kind extends FrameKind> = Extract<Frame, { kind: Kind }>;

/** The frame in a line, or undefined when the line is no JSON object. */
export function parseFrame(line: Buffer): Frame | undefined {
  let text: string;
  let body: unknown;
  try {
    text = line.toString('utf8');
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  return new ParsedFrame(line, text, body as Readonly<Record<string, unknown>>) as Frame;
}

/** The Messages API event inside a frame, whether it came wrapped or bare. */
export function streamEventOf(frame: Frame): StreamEvent | undefined {
  if (frame.kind === 'stream_event') return frame.body.event;
  return frame.kind === 'bare_stream_event' ? frame.body : undefined;
}

class ParsedFrame {
  readonly kind: FrameKind;
  readonly bytes: Buffer;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(bytes: Buffer, text: string, body: Readonly<Record<string, unknown>>) {
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

  get sessionId(): string | undefined {
    return stringField(this.body, 'session_id') ?? stringField(this.body, 'sessionId');
  }
}

function stringField(body: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = body[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
