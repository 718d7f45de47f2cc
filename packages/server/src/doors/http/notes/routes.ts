// The notes assistant: chat as JSON, chat as an NDJSON stream, clear, history.
import {
  type ChatFailure,
  type ChatNotice,
  type ChatResponse,
  type ClearResponse,
  type Envelope,
  type HistoryEntry,
  type HistoryResponse,
  promptText,
  type Turn,
  type TurnId,
} from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../../domain/access.ts';
import type { AdmittedPrompt, Gateway, NewSession } from '../../../domain/gateway.ts';
import { withoutReplaced } from '../../../domain/replaced-turns.ts';
import { toSessionId } from '../../session-id.ts';
import type { App } from '../app.ts';
import { type Failure, logFailure, sendFailure, toFailure } from '../errors.ts';
import { isNotFound, sendMessage } from '../messages/send-message.ts';
import { messageToPrompt } from '../messages/typed-message.ts';
import { ClientStream, type ClientStreamOptions, headersOf } from '../streams/client-stream.ts';
import { followTurn, withoutFrames } from '../streams/follow-turn.ts';
import { ndjson } from '../streams/formats.ts';
import type { OpenRequests } from '../streams/open-requests.ts';
import { toStreamLine, turnFailure } from './lines.ts';
import * as schemas from './schemas.ts';

export interface NotesServices {
  readonly gateway: Gateway;
  readonly newSession: NewSession;
  readonly messageLength: number;
  readonly requests: OpenRequests;
  readonly stream: ClientStreamOptions;
}

export function notesRoutes(app: App, services: NotesServices): void {
  const { gateway, requests } = services;

  app.post(
    '/api/claude/chat',
    { schema: schemas.chat, errorHandler: failWith(chatFailure) },
    async (request, reply): Promise<ChatResponse> => {
      const signal = requests.open('json', reply);
      const admitted = await admit(request);
      const { id } = admitted.session;
      reply.header('x-session-id', id);
      const { response, notices } = await answer(followTurn(gateway, request.actor, admitted, signal));
      const history = await readHistory(gateway, request.actor, id, admitted.turnId);
      return { success: true, session_id: id, response, history, ...(notices.length > 0 && { notices }) };
    },
  );

  app.post(
    '/api/claude/chat-stream',
    { schema: schemas.chatStream, errorHandler: failWith(chatFailure) },
    async (request, reply) => {
      const signal = requests.open('ndjson', reply);
      const admitted = await admit(request);
      const { id } = admitted.session;
      reply.header('x-session-id', id).hijack();
      const stream = new ClientStream(reply.raw, headersOf(reply), ndjson, services.stream);
      try {
        for await (const { event } of withoutFrames(followTurn(gateway, request.actor, admitted, signal))) {
          const line = toStreamLine(event);
          if (line) await stream.send(line);
        }
      } catch (error) {
        const { status, message } = toFailure(error);
        if (status >= 500 && !signal.aborted) logFailure(request, error);
        await stream.send({ type: 'error', message });
      }
      await stream.send({ type: 'session', session_id: id });
      stream.end();
    },
  );

  app.post(
    '/api/claude/clear',
    { schema: schemas.clear, errorHandler: failWith(noHistory) },
    async (request): Promise<ClearResponse> =>
      unlessUnknown(async () => {
        await gateway.deleteSession(request.actor, toSessionId(request.body.session_id));
        return { success: true, message: 'Session cleared' };
      }),
  );

  app.get(
    '/api/claude/history',
    { schema: schemas.history, errorHandler: failWith(noHistory) },
    async (request): Promise<HistoryResponse> =>
      unlessUnknown(async () => ({
        success: true,
        history: await readHistory(gateway, request.actor, request.query.session_id),
      })),
  );

  async function admit({ actor, body, headers }: ChatRequest): Promise<AdmittedPrompt> {
    return sendMessage(gateway, services.newSession, {
      actor,
      prompt: messageToPrompt(body, services.messageLength),
      sessionId: body.session_id,
      key: headers['idempotency-key'],
    });
  }
}

interface ChatRequest {
  readonly actor: Actor;
  readonly body: schemas.ChatBody;
  readonly headers: { readonly 'idempotency-key'?: string | undefined };
}

interface Answer {
  readonly response: string;
  readonly notices: ChatNotice[];
}

/** The answer of a turn; throws if there is none. */
async function answer(turn: AsyncIterable<Envelope>): Promise<Answer> {
  const notices: ChatNotice[] = [];
  for await (const { event } of withoutFrames(turn)) {
    if (event.type === 'notice') notices.push({ code: event.code, message: event.message });
    if (event.type !== 'turn.ended') continue;
    const failure = turnFailure(event);
    if (failure) throw failure;
    return { response: event.text, notices };
  }
  throw new Error('the turn ended without a turn.ended event');
}

async function readHistory(
  gateway: Gateway,
  actor: Actor,
  sessionId: string,
  upTo?: TurnId,
): Promise<HistoryEntry[]> {
  const turns = await gateway.turns(actor, toSessionId(sessionId));
  const last = upTo === undefined ? -1 : turns.findIndex((turn) => turn.id === upTo);
  const shown = last === -1 ? turns : turns.slice(0, last + 1);
  return withoutReplaced(shown).flatMap(toEntries);
}

function toEntries({ prompt, text }: Turn): HistoryEntry[] {
  const asked: HistoryEntry = { role: 'user', content: promptText(prompt) };
  return text === '' ? [asked] : [asked, { role: 'assistant', content: text }];
}

/** Clients of these endpoints don't expect an error for an unknown session: it gets status 200. */
async function unlessUnknown<T>(call: () => Promise<T>): Promise<T | NoHistory> {
  try {
    return await call();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { success: false, message: 'Session not found', history: [] };
  }
}

type NoHistory = Extract<HistoryResponse, { success: false }>;

function failWith(render: (failure: Failure) => object) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendFailure(request, reply, error, render);
}

function noHistory({ message }: Failure): NoHistory {
  return { success: false, message, history: [], detail: message };
}

function chatFailure({ message }: Failure): ChatFailure {
  return { success: false, message, response: '', history: [], detail: message };
}
