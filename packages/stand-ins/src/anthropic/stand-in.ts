// The Anthropic API on loopback: what the official SDK and the real `claude` program need of it.
// Conversations are answered from scripts, and where none is left by the mind.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyTooLarge, listenOnLoopback, readBody } from '../loopback-server.ts';
import { answerAuxiliary, isAuxiliary } from './auxiliary.ts';
import { demoMind } from './demo-mind/demo-mind.ts';
import type { ErrorType, MessagesBody } from './messages-wire.ts';
import { modelList } from './models.ts';
import { errorBody, playReply, sendJson } from './play-reply.ts';
import { httpError, type Pace, type Reply } from './reply.ts';
import {
  type RecordedRequest,
  type RecordLimits,
  type RequestKind,
  RequestRecord,
} from './request-record.ts';
import { type ReplySource, type RequestMatch, type Script, ScriptBook } from './script.ts';
import { countOutputTokens, countTokens, PromptCache } from './tokens.ts';

/** Answers a conversation for which nothing is scripted. */
export type Mind = (body: MessagesBody) => Reply;

/** For tests that script every reply: a request beyond the script is an error that no client retries. */
export const noMind: Mind = () =>
  httpError(400, 'invalid_request_error', 'The stand-in has no scripted reply left.');

export type AnthropicStandInOptions = {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** The demo mind unless given; `noMind` makes an unscripted request fail. */
  readonly mind?: Mind;
  /** For replies that bring no pace of their own, scripted or from the mind. */
  readonly pace?: Pace;
  /** Write each event as a chunk of its own. */
  readonly eventsApart?: boolean;
  readonly record?: Partial<RecordLimits>;
  readonly maxBodyBytes?: number;
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

export async function startAnthropicStandIn(
  options: AnthropicStandInOptions = {},
): Promise<AnthropicStandIn> {
  const record = new RequestRecord({ requests: 500, bytes: 64 * megabyte, ...options.record });
  const scripts = new ScriptBook();
  const closing = new AbortController();
  const api = new AnthropicApi(options, record, scripts, closing.signal);
  const server = await listenOnLoopback((request, response) => {
    void api.handle(request, response);
  }, options.port);
  const close = (): Promise<void> => {
    closing.abort(new Error('the stand-in closes'));
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

class AnthropicApi {
  readonly #options: AnthropicStandInOptions;
  readonly #record: RequestRecord;
  readonly #scripts: ScriptBook;
  readonly #closing: AbortSignal;
  readonly #cache = new PromptCache();
  #requests = 0;

  constructor(
    options: AnthropicStandInOptions,
    record: RequestRecord,
    scripts: ScriptBook,
    closing: AbortSignal,
  ) {
    this.#options = options;
    this.#record = record;
    this.#scripts = scripts;
    this.#closing = closing;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      if (response.destroyed || this.#closing.aborted) return;
      if (error instanceof BodyTooLarge) return sendError(response, 413, 'request_too_large', error.message);
      if (error instanceof SyntaxError)
        return sendError(response, 400, 'invalid_request_error', error.message);
      sendError(response, 500, 'api_error', `The stand-in failed: ${String(error)}`);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://loopback');
    const bytes = await readBody(request, this.#options.maxBodyBytes ?? 64 * megabyte);
    const body = (bytes.length === 0 ? {} : JSON.parse(bytes.toString())) as MessagesBody;
    const kind = kindOf(request.method ?? 'GET', pathname, body);
    const asked: RecordedRequest = {
      number: ++this.#requests,
      kind,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: request.headers,
      body,
      bytes: bytes.length,
      outcome: 'open',
    };
    this.#record.add(asked);
    response.once('close', () => {
      asked.outcome = response.writableFinished ? 'answered' : 'left';
    });
    switch (kind) {
      case 'conversation':
      case 'auxiliary':
        return this.#message(asked, response);
      case 'count_tokens':
        return sendJson(response, 200, { input_tokens: countTokens(body) });
      case 'models':
        return sendModels(response, pathname);
      case 'other':
        return sendOther(request, response, pathname);
      default:
        return kind satisfies never;
    }
  }

  async #message(asked: RecordedRequest, response: ServerResponse): Promise<void> {
    const left = new AbortController();
    response.once('close', () => left.abort(new Error('the client left')));
    const reply = await this.#replyTo(asked);
    const requestId = `req_${freshId()}`;
    if (reply.kind === 'error') {
      const headers = { 'request-id': requestId, ...reply.headers };
      return sendJson(response, reply.status, errorBody(reply.type, reply.message, requestId), headers);
    }
    await playReply({
      response,
      body: asked.body,
      reply,
      usage: {
        ...this.#cache.usage(asked.body),
        output_tokens: countOutputTokens(reply.parts),
        ...reply.usage,
      },
      pace: { ...this.#options.pace, ...reply.pace },
      headers: { 'request-id': requestId, ...reply.headers },
      eventsApart: this.#options.eventsApart ?? false,
      newId: (prefix) => `${prefix}_${freshId()}`,
      signal: AbortSignal.any([left.signal, this.#closing]),
    });
  }

  async #replyTo(asked: RecordedRequest): Promise<Reply> {
    if (asked.kind === 'auxiliary') return answerAuxiliary(asked.body);
    const source = this.#scripts.take(asked);
    if (typeof source === 'function') return source(asked);
    return source ?? (this.#options.mind ?? demoMind)(asked.body);
  }
}

function kindOf(method: string, pathname: string, body: MessagesBody): RequestKind {
  if (method === 'POST' && pathname === '/v1/messages')
    return isAuxiliary(body) ? 'auxiliary' : 'conversation';
  if (method === 'POST' && pathname === '/v1/messages/count_tokens') return 'count_tokens';
  if (method === 'GET' && (pathname === '/v1/models' || pathname.startsWith('/v1/models/'))) return 'models';
  return 'other';
}

function sendModels(response: ServerResponse, pathname: string): void {
  const id = pathname.slice('/v1/models/'.length);
  if (id === '') {
    const last_id = modelList.at(-1)?.id ?? null;
    return sendJson(response, 200, {
      data: modelList,
      first_id: modelList[0]?.id ?? null,
      has_more: false,
      last_id,
    });
  }
  const model = modelList.find((known) => known.id === id);
  if (model === undefined) return sendError(response, 404, 'not_found_error', `model: ${id}`);
  sendJson(response, 200, model);
}

/** `claude` looks with HEAD whether its base address answers. */
function sendOther(request: IncomingMessage, response: ServerResponse, pathname: string): void {
  const probe =
    request.method === 'HEAD' || (request.method === 'GET' && ['/', '/api/hello'].includes(pathname));
  if (!probe)
    return sendError(response, 404, 'not_found_error', `${request.method} ${pathname} is not played here`);
  sendJson(response, 200, { message: 'hello' });
}

function sendError(response: ServerResponse, status: number, type: ErrorType, message: string): void {
  sendJson(response, status, errorBody(type, message), { connection: 'close' });
}

function freshId(): string {
  return `01${randomBytes(11).toString('hex')}`;
}
