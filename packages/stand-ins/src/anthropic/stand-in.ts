// The Anthropic API on loopback for tests: start it, script replies, inspect the requests, close it.
import {
  type ApiOptions,
  demoModel,
  httpError,
  type MessagesBody,
  type Reply,
  startAnthropicService,
} from '@parley/demo/services';
import { type RecordedRequest, type RecordLimits, RequestRecord } from './request-record.ts';
import { type ReplySource, type RequestMatch, type Script, ScriptBook } from './script.ts';

/** Answers a conversation that has no scripted reply. */
export type Fallback = (body: MessagesBody) => Reply;

/** For tests that script every reply: a request without one gets an error that no client retries. */
export const noFallback: Fallback = () =>
  httpError(400, 'invalid_request_error', 'The stand-in has no scripted reply left.');

export type AnthropicStandInOptions = Omit<ApiOptions, 'answer' | 'onRequest'> & {
  /** The demo model unless given; `noFallback` makes an unscripted request fail. */
  readonly fallback?: Fallback;
  /** 0, the default, picks a free port. */
  readonly port?: number;
  readonly record?: Partial<RecordLimits>;
};

export type AnthropicStandIn = {
  /** For `ANTHROPIC_BASE_URL`, or the SDK's `baseURL`. */
  readonly url: string;
  readonly port: number;
  /** All requests, oldest first, within the limits of the record. */
  readonly requests: readonly RecordedRequest[];
  /** The requests that are turns of a conversation. */
  readonly conversations: readonly RecordedRequest[];
  /** Adds replies for whichever conversation asks next. */
  enqueue(...replies: readonly ReplySource[]): Script;
  /** A separate script for matching requests, which goes before the replies enqueued for all. */
  script(match: RequestMatch, ...replies: readonly ReplySource[]): Script;
  /** The first request that matches, whether it has arrived already or is yet to come. */
  waitForRequest(match?: RequestMatch, signal?: AbortSignal): Promise<RecordedRequest>;
  /** Forgets the requests so far. */
  clearRequests(): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startAnthropicStandIn(
  options: AnthropicStandInOptions = {},
): Promise<AnthropicStandIn> {
  const { fallback = demoModel } = options;
  const record = new RequestRecord({ requests: 500, bytes: 64 * 1024 * 1024, ...options.record });
  const scripts = new ScriptBook();
  const service = await startAnthropicService({
    ...options,
    answer(request) {
      const source = scripts.take(request) ?? fallback(request.body);
      return typeof source === 'function' ? source(request) : source;
    },
    onRequest: (request) => record.add(request),
  });
  const close = (): Promise<void> => {
    record.close(new Error('the stand-in closed'));
    return service.close();
  };
  return {
    url: service.url,
    port: service.port,
    get requests() {
      return record.all;
    },
    get conversations() {
      return record.all.filter((request) => request.kind === 'conversation');
    },
    enqueue: (...replies) => scripts.everything.enqueue(...replies),
    script: (match, ...replies) => scripts.add(match).enqueue(...replies),
    waitForRequest: (match = () => true, signal) => record.waitFor(match, signal),
    clearRequests: () => record.clear(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
