// What a test can script beyond plain answers: thinking, other blocks, pauses, faults and error responses.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Connection,
  type ErrorReply,
  type ErrorType,
  encodeEvent,
  errorBody,
  httpError,
  type MessageReply,
  type ReplyOptions,
  type ReplyPart,
  sendJson,
  type WireBlock,
} from '@parley/demo/services';

/** The same reply with another model, stop reason, usage, pace or headers. */
export function withOptions(message: MessageReply, options: ReplyOptions): MessageReply {
  return { ...message, ...options };
}

export function think(...pieces: readonly string[]): ReplyPart {
  return { part: 'thinking', pieces };
}

export function block(block: WireBlock): ReplyPart {
  return { part: 'block', block };
}

export type FoundPage = { readonly title: string; readonly url: string };

/** The service searches the web itself: the call and its result are two blocks of the reply. */
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

/** Milliseconds, a promise (such as a gate that the test opens), or a function that makes one when its turn comes. */
export type Until = number | PromiseLike<unknown> | (() => PromiseLike<unknown>);

export function wait(until: Until): ReplyPart {
  if (typeof until === 'number') return interruption(({ signal }) => sleep(until, undefined, { signal }));
  return interruption(({ signal }) => orAborted(typeof until === 'function' ? until() : until, signal));
}

export type Gate = { readonly opened: Promise<void>; open(): void };

/** For `wait(gate.opened)`: the stream continues when the test calls `gate.open()`. */
export function createGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Destroys the connection. */
export function cut(): ReplyPart {
  return interruption(async ({ response, isStream }) => {
    // Sends what was written first, or the client would see nothing of the stream at all.
    if (isStream) await new Promise<void>((resolve) => response.write('', () => resolve()));
    response.destroy();
  });
}

/** Sends nothing more until the client disconnects or the stand-in closes. */
export function stall(): ReplyPart {
  return interruption(({ signal }) => aborted(signal));
}

export function overloadInStream(message = 'Overloaded'): ReplyPart {
  return errorInStream('overloaded_error', message);
}

const statuses: Readonly<Record<ErrorType, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  overloaded_error: 529,
};

/** Sends an `error` event inside the stream and ends it. Without a stream, answers with the status of the error. */
export function errorInStream(type: ErrorType, message: string): ReplyPart {
  return interruption(async ({ response, isStream, headers }) => {
    const body = errorBody(type, message);
    if (isStream) response.end(encodeEvent(body));
    else sendJson(response, statuses[type], body, headers);
  });
}

const cutOffEvent =
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"ty\n\n';

/** Sends one event whose data is not JSON, or the given raw text. A stream continues after it. */
export function malformedEvent(raw?: string): ReplyPart {
  return interruption(async ({ response, isStream, headers }) => {
    if (isStream) {
      response.write(raw ?? cutOffEvent);
    } else {
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.end(raw ?? '{"id":"msg_');
    }
  });
}

export function rateLimited(retryAfterSeconds?: number): ErrorReply {
  return httpError(429, 'rate_limit_error', 'This request would exceed your rate limit.', retryAfterSeconds);
}

export function overloaded(retryAfterSeconds?: number): ErrorReply {
  return httpError(529, 'overloaded_error', 'Overloaded', retryAfterSeconds);
}

function interruption(interrupt: (connection: Connection) => Promise<void>): ReplyPart {
  return { part: 'interruption', interrupt };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** Removes its listener, because a reply may wait thousands of times. `AbortSignal.any` takes five times as long. */
function orAborted(awaited: PromiseLike<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    const settled = Promise.resolve(awaited).then(() => resolve(), reject);
    void settled.finally(() => signal.removeEventListener('abort', stop));
  });
}
