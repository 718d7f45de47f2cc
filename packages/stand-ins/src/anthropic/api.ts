// The routes of Anthropic's API: reads a request, checks and records it, and has it answered: a conversation
// from the scripts or by the mind, everything else by itself.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyTooLarge, readBody } from '../loopback-server.ts';
import { answerAuxiliary, isAuxiliary } from './auxiliary.ts';
import { hasMessages, messagesRefusal, refusal } from './checks.ts';
import type { ErrorType, MessagesBody } from './messages-wire.ts';
import { findModel, modelPage } from './models.ts';
import { errorBody, playReply, sendJson } from './play-reply.ts';
import type { ErrorReply, Pace, Reply } from './reply.ts';
import type { RecordedRequest, RequestKind, RequestRecord } from './request-record.ts';
import type { ScriptBook } from './script.ts';
import { countOutputTokens, countTokens, PromptCache } from './tokens.ts';

/** Answers a conversation for which nothing is scripted. */
export type Mind = (body: MessagesBody) => Reply;

export type ApiOptions = {
  /** The demo mind unless given; `noMind` makes an unscripted request fail. */
  readonly mind: Mind;
  /** For replies that bring no pace of their own, scripted or from the mind. */
  readonly pace: Pace;
  /** Write each event as a chunk of its own, instead of all that are due at once. */
  readonly eventsApart: boolean;
  readonly maxBodyBytes: number;
};

export class AnthropicApi {
  readonly #options: ApiOptions;
  readonly #record: RequestRecord;
  readonly #scripts: ScriptBook;
  readonly #closing: AbortSignal;
  readonly #cache = new PromptCache();
  #requests = 0;

  constructor(options: ApiOptions, record: RequestRecord, scripts: ScriptBook, closing: AbortSignal) {
    this.#options = options;
    this.#record = record;
    this.#scripts = scripts;
    this.#closing = closing;
  }

  /** Never rejects: what goes wrong becomes an answer, if anybody is still there to get it. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      if (response.destroyed || this.#closing.aborted) return;
      if (response.headersSent) return void response.destroy();
      if (error instanceof BodyTooLarge) return sendError(response, 413, 'request_too_large', error.message);
      if (error instanceof SyntaxError)
        return sendError(response, 400, 'invalid_request_error', error.message);
      sendError(response, 500, 'api_error', `The stand-in failed: ${String(error)}`);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://loopback');
    const asked = await this.#read(request, pathname);
    this.#record.add(asked);
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

  async #read(request: IncomingMessage, pathname: string): Promise<RecordedRequest> {
    const method = request.method ?? 'GET';
    const bytes = await readBody(request, this.#options.maxBodyBytes);
    const parsed: unknown = bytes.length === 0 ? {} : JSON.parse(bytes.toString());
    // Loose here; what the answer needs of it is checked before the answer.
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

  async #message(asked: RecordedRequest, response: ServerResponse): Promise<void> {
    const left = new AbortController();
    response.once('close', () => left.abort(new Error('the client left')));
    const reply = messagesRefusal(asked.body) ?? (await this.#replyTo(asked));
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
      eventsApart: this.#options.eventsApart,
      newId: (prefix) => `${prefix}_${freshId()}`,
      signal: AbortSignal.any([left.signal, this.#closing]),
    });
  }

  async #replyTo(asked: RecordedRequest): Promise<Reply> {
    if (asked.kind === 'auxiliary') return answerAuxiliary(asked.headers, asked.body);
    const source = this.#scripts.take(asked);
    if (typeof source === 'function') return source(asked);
    return source ?? this.#options.mind(asked.body);
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

/** `claude` looks with HEAD whether its base address answers. */
function sendOther(request: IncomingMessage, response: ServerResponse, pathname: string): void {
  const probe =
    request.method === 'HEAD' || (request.method === 'GET' && ['/', '/api/hello'].includes(pathname));
  if (!probe)
    return sendError(response, 404, 'not_found_error', `${request.method} ${pathname} is not played here`);
  sendJson(response, 200, { message: 'hello' });
}

function sendRefusal(response: ServerResponse, { status, type, message, headers }: ErrorReply): void {
  const id = requestId();
  sendJson(response, status, errorBody(type, message, id), { 'request-id': id, ...headers });
}

/** The connection ends with it: after a body that was not read to its end it could not be used again. */
function sendError(response: ServerResponse, status: number, type: ErrorType, message: string): void {
  sendJson(response, status, errorBody(type, message), { connection: 'close' });
}

function requestId(): string {
  return `req_${freshId()}`;
}

/** Random rather than counted: ids must not come again after a restart, clients count usage by them. */
function freshId(): string {
  return `01${randomBytes(11).toString('hex')}`;
}
