// The routes of Anthropic's API. Reads and checks each request. The caller answers conversations; everything else
// is answered here.
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { BodyTooLarge, readBody, sendJson } from '../loopback-server.ts';
import { answerAuxiliary, isAuxiliary } from './auxiliary.ts';
import { hasMessages, messagesRefusal, refusal } from './checks.ts';
import type { ErrorType, MessagesBody } from './messages-wire.ts';
import { findModel, modelPage } from './models.ts';
import { errorBody, playReply } from './play-reply.ts';
import type { ErrorReply, Pace, Reply } from './reply.ts';
import { countOutputTokens, countTokens, PromptCache } from './tokens.ts';

export type RequestKind =
  /** A turn of a conversation: answered by the caller. */
  | 'conversation'
  /** What `claude` asks for its own purposes, such as a title or a quota probe: answered here. */
  | 'auxiliary'
  | 'count_tokens'
  | 'models'
  | 'other';

export type ApiRequest = {
  /** Counts from 1 over the life of the service. */
  readonly number: number;
  readonly kind: RequestKind;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body; an empty object if there was none. */
  readonly body: MessagesBody;
  readonly bytes: number;
  /** `open` while the answer is being sent; `left` if the client disconnected before the end. */
  outcome: 'open' | 'answered' | 'left';
};

export type ApiOptions = {
  /** Answers one turn of a conversation. */
  answer(request: ApiRequest): Reply | Promise<Reply>;
  /** Sees every request, before it is answered. */
  onRequest?(request: ApiRequest): void;
  /** For replies without a pace of their own. */
  readonly pace?: Pace;
  /** Write each event as its own chunk instead of batching all events that are due. */
  readonly eventsApart?: boolean;
  readonly maxBodyBytes?: number;
};

const defaultMaxBodyBytes = 64 * 1024 * 1024;

export class AnthropicApi {
  readonly #options: ApiOptions;
  readonly #closing: AbortSignal;
  readonly #cache = new PromptCache();
  #requests = 0;

  constructor(options: ApiOptions, closing: AbortSignal) {
    this.#options = options;
    this.#closing = closing;
  }

  /** Never rejects: an error becomes a response if the client is still connected. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      if (response.destroyed || this.#closing.aborted) return;
      if (response.headersSent) return void response.destroy();
      if (error instanceof BodyTooLarge) return sendError(response, 413, 'request_too_large', error.message);
      if (error instanceof SyntaxError)
        return sendError(response, 400, 'invalid_request_error', error.message);
      sendError(response, 500, 'api_error', `The loopback service failed: ${String(error)}`);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://loopback');
    const asked = await this.#read(request, pathname);
    this.#options.onRequest?.(asked);
    response.once('close', () => {
      asked.outcome = response.writableFinished ? 'answered' : 'left';
    });
    const refused = asked.kind === 'other' ? undefined : refusal(request.headers);
    if (refused !== undefined) return sendRefusal(response, refused);
    switch (asked.kind) {
      case 'conversation':
      case 'auxiliary':
        return this.#message(asked, response);
      case 'count_tokens':
        if (!hasMessages(asked.body))
          return sendError(response, 400, 'invalid_request_error', 'messages: Field required');
        return sendJson(response, 200, { input_tokens: countTokens(asked.body) });
      case 'models':
        return sendModels(response, pathname.slice('/v1/models/'.length));
      case 'other':
        return sendOther(request, response, pathname);
      default:
        return asked.kind satisfies never;
    }
  }

  async #read(request: IncomingMessage, pathname: string): Promise<ApiRequest> {
    const method = request.method ?? 'GET';
    const bytes = await readBody(request, this.#options.maxBodyBytes ?? defaultMaxBodyBytes);
    const parsed: unknown = bytes.length === 0 ? {} : JSON.parse(bytes.toString());
    // Not validated here: the fields that the answer needs are checked before answering.
    const body = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as MessagesBody;
    const kind = kindOf(method, pathname, request, body);
    const number = ++this.#requests;
    return {
      number,
      kind,
      method,
      path: request.url ?? '/',
      headers: request.headers,
      body,
      bytes: bytes.length,
      outcome: 'open',
    };
  }

  async #message(asked: ApiRequest, response: ServerResponse): Promise<void> {
    const left = new AbortController();
    response.once('close', () => left.abort(new Error('the client disconnected')));
    const reply = messagesRefusal(asked.body) ?? (await this.#answer(asked));
    if (reply.kind === 'error') return sendRefusal(response, reply);
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
      headers: { 'request-id': requestId(), ...reply.headers },
      eventsApart: this.#options.eventsApart ?? false,
      newId: (prefix) => `${prefix}_${freshId()}`,
      signal: AbortSignal.any([left.signal, this.#closing]),
    });
  }

  #answer(asked: ApiRequest): Reply | Promise<Reply> {
    if (asked.kind === 'auxiliary') return answerAuxiliary(asked.headers, asked.body);
    return this.#options.answer(asked);
  }
}

function kindOf(method: string, pathname: string, request: IncomingMessage, body: MessagesBody): RequestKind {
  if (method === 'POST' && pathname === '/v1/messages') {
    return hasMessages(body) && isAuxiliary(request.headers, body) ? 'auxiliary' : 'conversation';
  }
  if (method === 'POST' && pathname === '/v1/messages/count_tokens') return 'count_tokens';
  if (method === 'GET' && (pathname === '/v1/models' || pathname.startsWith('/v1/models/'))) return 'models';
  return 'other';
}

function sendModels(response: ServerResponse, id: string): void {
  if (id === '') return sendJson(response, 200, modelPage());
  const model = findModel(id);
  if (model === undefined) return sendError(response, 404, 'not_found_error', `model: ${id}`);
  sendJson(response, 200, model);
}

/** `claude` sends HEAD to check that its base URL answers. */
function sendOther(request: IncomingMessage, response: ServerResponse, pathname: string): void {
  const probe =
    request.method === 'HEAD' || (request.method === 'GET' && ['/', '/api/hello'].includes(pathname));
  if (!probe)
    return sendError(response, 404, 'not_found_error', `${request.method} ${pathname} is not supported here`);
  sendJson(response, 200, { message: 'hello' });
}

function sendRefusal(response: ServerResponse, { status, type, message, headers }: ErrorReply): void {
  const id = requestId();
  sendJson(response, status, errorBody(type, message, id), { 'request-id': id, ...headers });
}

/** Closes the connection, which can't be reused if the body was not read to its end. */
function sendError(response: ServerResponse, status: number, type: ErrorType, message: string): void {
  sendJson(response, status, errorBody(type, message), { connection: 'close' });
}

function requestId(): string {
  return `req_${freshId()}`;
}

/** Random rather than counted: ids must not repeat after a restart, because clients count usage by them. */
function freshId(): string {
  return `01${randomBytes(11).toString('hex')}`;
}
