// What the model answers: a reply is a sequence of parts, sent in order.
import type { ServerResponse } from 'node:http';
import type { ErrorType, StopReason, Usage } from './messages-wire.ts';

export type ReplyPart =
  /** Each piece becomes one delta. Neighboring parts of the same kind share one content block. */
  | { readonly part: 'text'; readonly pieces: readonly string[] }
  | { readonly part: 'thinking'; readonly pieces: readonly string[] }
  | {
      readonly part: 'tool_use';
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly id?: string;
    }
  /** A whole block of any other kind, as the service would write it. */
  | { readonly part: 'block'; readonly block: WireBlock }
  /** Something other than content, such as a pause. Tests also break the response this way. */
  | { readonly part: 'interruption'; readonly interrupt: Interruption };

export type WireBlock = { readonly type: string; readonly [field: string]: unknown };

/** Runs after everything before it was sent. The reply continues unless the response has ended. */
export type Interruption = (connection: Connection) => Promise<void>;

export type Connection = {
  readonly response: ServerResponse;
  /** False if the client wants one JSON message. Its headers are then not sent yet. */
  readonly isStream: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts when the client disconnects or the service closes. */
  readonly signal: AbortSignal;
};

export type Pace = {
  /** Milliseconds before the first event. */
  readonly firstMs?: number;
  /** Milliseconds from one delta to the next. Fractions are honored on average. */
  readonly everyMs?: number;
};

export type ReplyOptions = {
  readonly model?: string;
  readonly stopReason?: StopReason;
  readonly usage?: Partial<Usage>;
  readonly pace?: Pace;
  readonly headers?: Readonly<Record<string, string>>;
};

export type MessageReply = ReplyOptions & { readonly kind: 'message'; readonly parts: readonly ReplyPart[] };

export type ErrorReply = {
  readonly kind: 'error';
  readonly status: number;
  readonly type: ErrorType;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Reply = MessageReply | ErrorReply;

export function reply(...parts: readonly (ReplyPart | string)[]): MessageReply {
  return { kind: 'message', parts: parts.map((part) => (typeof part === 'string' ? say(part) : part)) };
}

export function say(...pieces: readonly string[]): ReplyPart {
  return { part: 'text', pieces };
}

/** One delta per word, as a live model would stream it. */
export function sayInWords(text: string): ReplyPart {
  return { part: 'text', pieces: text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text] };
}

export function callTool(
  name: string,
  input: Readonly<Record<string, unknown>> = {},
  id?: string,
): ReplyPart {
  return { part: 'tool_use', name, input, ...(id === undefined ? {} : { id }) };
}

export function httpError(
  status: number,
  type: ErrorType,
  message: string,
  retryAfterSeconds?: number,
): ErrorReply {
  const headers =
    retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } };
  return { kind: 'error', status, type, message, ...headers };
}
