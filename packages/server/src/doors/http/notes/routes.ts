// The notes assistant: chat as JSON, chat as an NDJSON stream, clear, history.
import {
  type ChatFailure,
  type ChatResponse,
  type ClearResponse,
  type Envelope,
  type HistoryEntry,
  type HistoryResponse,
  type PersonName,
  promptText,
  type Turn,
  type TurnId,
} from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedPrompt, Gateway, NewSession } from '../../../domain/gateway.ts';
import type { App } from '../app.ts';
import { type Failure, logFailure, sendFailure, toFailure } from '../errors.ts';
import { isNotFound, sendMessage, toSessionId } from '../sessions/send-message.ts';
import { messageToPrompt } from '../sessions/typed-message.ts';
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
      const response = await answer(followTurn(gateway, request.person, admitted, signal));
      const history = await readHistory(gateway, request.person, id, admitted.turnId);
      return { success: true, session_id: id, response, history };
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
        for await (const { event } of withoutFrames(followTurn(gateway, request.person, admitted, signal))) {
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
        await gateway.deleteSession(request.person, toSessionId(request.body.session_id));
        return { success: true, message: 'Session cleared' };
      }),
  );

  app.get(
    '/api/claude/history',
    { schema: schemas.history, errorHandler: failWith(noHistory) },
    async (request): Promise<HistoryResponse> =>
      unlessUnknown(async () => ({
        success: true,
        history: await readHistory(gateway, request.person, request.query.session_id),
      })),
  );

  async function admit({ person, body, headers }: ChatRequest): Promise<AdmittedPrompt> {
    return sendMessage(gateway, services.newSession, {
      person,
      prompt: messageToPrompt(body, services.messageLength),
      sessionId: body.session_id,
      key: headers['idempotency-key'],
    });
  }
}

interface ChatRequest {
  readonly person: string;
  readonly body: schemas.ChatBody;
  readonly headers: { readonly 'idempotency-key'?: string | undefined };
}

/** The answer of a turn; throws if there is none. */
async function answer(turn: AsyncIterable<Envelope>): Promise<string> {
  for await (const { event } of turn) {
    if (event.type !== 'turn.ended') continue;
    const failure = turnFailure(event);
    if (failure) throw failure;
    return event.text;
  }
  throw new Error('the turn ended without a turn.ended event');
}

async function readHistory(
  gateway: Gateway,
  person: PersonName,
  sessionId: string,
  upTo?: TurnId,
): Promise<HistoryEntry[]> {
  const turns = await gateway.turns(person, toSessionId(sessionId));
  const last = upTo === undefined ? -1 : turns.findIndex((turn) => turn.id === upTo);
  return (last === -1 ? turns : turns.slice(0, last + 1)).flatMap(toEntries);
}

function toEntries({ prompt, text }: Turn): HistoryEntry[] {
  const asked: HistoryEntry = { role: 'user', content: promptText(prompt) };
  return text === '' ? [asked] : [asked, { role: 'assistant', content: text }];
}

/** An unknown session is no error for clients of these endpoints: it gets status 200. */
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
