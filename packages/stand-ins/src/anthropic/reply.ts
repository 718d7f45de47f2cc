// The little language in which tests and the demo mind say what the model answers.
// A reply is a sequence of parts, played in order; a fault ends or damages the stream at its place.
import { randomUUID } from 'node:crypto';
import type { ErrorType, StopReason, Usage } from './messages-wire.ts';

export type ReplyPart =
  /** Each piece becomes one delta. Neighbouring parts of one kind share one content block. */
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
  | { readonly part: 'wait'; readonly until: Until }
  | { readonly part: 'fault'; readonly fault: Fault };

export type WireBlock = { readonly type: string; readonly [field: string]: unknown };

export type Fault =
  /** The connection is destroyed. */
  | { readonly kind: 'cut' }
  /** Nothing more comes until the client leaves or the stand-in closes. */
  | { readonly kind: 'stall' }
  /** An `error` event inside the stream, which then ends. */
  | { readonly kind: 'error'; readonly type: ErrorType; readonly message: string }
  /** One event whose data is no JSON (or the given raw text); the stream goes on after it. */
  | { readonly kind: 'malformed'; readonly raw?: string };

export type Pace = {
  /** Milliseconds before the first event. */
  readonly firstMs?: number;
  /** Milliseconds from one delta to the next. Fractions are honoured on average. */
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

/** The same reply with another model, stop reason, usage, pace or headers. */
export function withOptions(message: MessageReply, options: ReplyOptions): MessageReply {
  return { ...message, ...options };
}

export function say(...pieces: readonly string[]): ReplyPart {
  return { part: 'text', pieces };
}

/** One delta per word, as a live model would stream it. */
export function sayInWords(text: string): ReplyPart {
  return { part: 'text', pieces: text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text] };
}

export function think(...pieces: readonly string[]): ReplyPart {
  return { part: 'thinking', pieces };
}

export function callTool(
  name: string,
  input: Readonly<Record<string, unknown>> = {},
  id?: string,
): ReplyPart {
  return { part: 'tool_use', name, input, ...(id === undefined ? {} : { id }) };
}

/** The service searches the web itself: its call and the result are two blocks of the reply. */
export function searchWeb(query: string, ...results: readonly FoundPage[]): readonly ReplyPart[] {
  const id = `srvtoolu_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
  const content = results.map(({ title, url }) => ({
    type: 'web_search_result',
    title,
    url,
    encrypted_content: Buffer.from(`${title} ${url}`).toString('base64'),
    page_age: null,
  }));
  return [
    block({ type: 'server_tool_use', id, name: 'web_search', input: { query } }),
    block({ type: 'web_search_tool_result', tool_use_id: id, content }),
  ];
}

export type FoundPage = { readonly title: string; readonly url: string };

export function block(block: WireBlock): ReplyPart {
  return { part: 'block', block };
}

/** Milliseconds, a promise (a gate that the test opens), or one that is made when it is waited for. */
export type Until = number | PromiseLike<unknown> | (() => PromiseLike<unknown>);

export function wait(until: Until): ReplyPart {
  return { part: 'wait', until };
}

export type Gate = { readonly opened: Promise<void>; open(): void };

/** For `wait(gate.opened)`: the stream goes on when the test calls `gate.open()`. */
export function createGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

export function cut(): ReplyPart {
  return { part: 'fault', fault: { kind: 'cut' } };
}

export function stall(): ReplyPart {
  return { part: 'fault', fault: { kind: 'stall' } };
}

export function overloadInStream(message = 'Overloaded'): ReplyPart {
  return { part: 'fault', fault: { kind: 'error', type: 'overloaded_error', message } };
}

export function errorInStream(type: ErrorType, message: string): ReplyPart {
  return { part: 'fault', fault: { kind: 'error', type, message } };
}

export function malformedEvent(raw?: string): ReplyPart {
  return { part: 'fault', fault: { kind: 'malformed', ...(raw === undefined ? {} : { raw }) } };
}

export function rateLimited(retryAfterSeconds?: number): ErrorReply {
  return httpError(429, 'rate_limit_error', 'This request would exceed your rate limit.', retryAfterSeconds);
}

export function overloaded(retryAfterSeconds?: number): ErrorReply {
  return httpError(529, 'overloaded_error', 'Overloaded', retryAfterSeconds);
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
