// A frame is one line of JSON exactly as the program wrote it, with a typed view of what is in it.
import type { FrameBodies, FrameKind } from './bodies.ts';

interface FrameOf<Kind extends FrameKind> {
  readonly kind: Kind;
  /** The line as received, without its newline. May share memory with its chunk: copy it before you keep it. */
  readonly bytes: Buffer;
  /** The line decoded as UTF-8. */
  readonly text: string;
  /** The parsed line, as untrusted data: a key named `__proto__` is an own property and has no effect. */
  readonly body: FrameBodies[Kind];
  /** Whether a person who reads the conversation would miss it. */
  readonly hasUsefulContent: boolean;
  readonly uuid: string | undefined;
  readonly sessionId: string | undefined;
  /** When the program wrote it, as ISO 8601. */
  readonly timestamp: string | undefined;
}

/** Discriminated by `kind`. */
export type Frame = { [Kind in FrameKind]: FrameOf<Kind> }[FrameKind];

export type FrameOfKind<Kind extends FrameKind> = Extract<Frame, { kind: Kind }>;
