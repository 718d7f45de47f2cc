// The Anthropic API on loopback, as tests and demo mode hold it: start, script, look at what was asked, close.
import { listenOnLoopback } from '../loopback-server.ts';
import { AnthropicApi, type ApiOptions, type Mind } from './api.ts';
import { demoMind } from './demo-mind/demo-mind.ts';
import { httpError, type Pace } from './reply.ts';
import { type RecordedRequest, type RecordLimits, RequestRecord } from './request-record.ts';
import { type ReplySource, type RequestMatch, type Script, ScriptBook } from './script.ts';

/** For tests that script every reply: a request beyond the script is an error that no client retries. */
export const noMind: Mind = () =>
  httpError(400, 'invalid_request_error', 'The stand-in has no scripted reply left.');

/** About the pace of a live model, for demo mode. */
export const livePace: Pace = { firstMs: 150, everyMs: 20 };

export type AnthropicStandInOptions = Partial<ApiOptions> & {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly record?: Partial<RecordLimits>;
};

export type AnthropicStandIn = {
  /** For `ANTHROPIC_BASE_URL`, or the SDK's `baseURL`. */
  readonly url: string;
  readonly port: number;
  /** What was asked, oldest first, within the limits of the record. */
  readonly requests: readonly RecordedRequest[];
  /** Those of `requests` that are turns of a conversation. */
  readonly conversations: readonly RecordedRequest[];
  /** Replies for whatever conversation asks next. */
  enqueue(...replies: readonly ReplySource[]): Script;
  /** A script of its own for the requests that match; asked before what was enqueued for all. */
  script(match: RequestMatch, ...replies: readonly ReplySource[]): Script;
  /** The first request that matches, come already or yet to come. */
  waitForRequest(match?: RequestMatch, signal?: AbortSignal): Promise<RecordedRequest>;
  /** Forgets what was asked so far. */
  clearRequests(): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

const megabyte = 1024 * 1024;
const defaults: ApiOptions = { mind: demoMind, pace: {}, eventsApart: false, maxBodyBytes: 64 * megabyte };

export async function startAnthropicStandIn(
  options: AnthropicStandInOptions = {},
): Promise<AnthropicStandIn> {
  const record = new RequestRecord({ requests: 500, bytes: 64 * megabyte, ...options.record });
  const scripts = new ScriptBook();
  const closing = new AbortController();
  const api = new AnthropicApi({ ...defaults, ...options }, record, scripts, closing.signal);
  const server = await listenOnLoopback((request, response) => {
    void api.handle(request, response);
  }, options.port);
  const close = (): Promise<void> => {
    const reason = new Error('the stand-in closed');
    closing.abort(reason);
    record.close(reason);
    return server.close();
  };
  return {
    url: server.url,
    port: server.port,
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
