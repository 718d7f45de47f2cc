// The notes assistant: chat as JSON, chat as NDJSON stream, clear, history.
import {
  type ChatFailure,
  type ChatResponse,
  type ClearResponse,
  type Envelope,
  type HistoryResponse,
} from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedPrompt, Gateway, NewSession } from '../../../domain/gateway.ts';
import type { App } from '../app.ts';
import { type Failure, logFailure, sendFailure, toFailure } from '../errors.ts';
import { sendMessage } from '../sessions/send-message.ts';
import { toPrompt } from '../sessions/to-prompt.ts';
import { ClientStream, type ClientStreamOptions } from '../streams/client-stream.ts';
import { followTurn } from '../streams/follow-turn.ts';
import { ndjson } from '../streams/formats.ts';
import { headersOf } from '../streams/headers.ts';
import type { OpenRequests } from '../streams/open-requests.ts';
import { clearSession, readHistory } from './conversation.ts';
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
        for await (const { event } of followTurn(gateway, request.person, admitted, signal)) {
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
    {
      schema: schemas.clear,
      errorHandler: failWith(({ message }): ClearResponse => ({ success: false, message })),
    },
    async (request): Promise<ClearResponse> => {
      await clearSession(gateway, request.person, request.body.session_id);
      return { success: true, message: 'Session cleared' };
    },
  );

  app.get(
    '/api/claude/history',
    {
      schema: schemas.history,
      errorHandler: failWith(({ message }): HistoryResponse => ({ success: false, message, history: [] })),
    },
    async (request): Promise<HistoryResponse> => ({
      success: true,
      history: await readHistory(gateway, request.person, request.query.session_id),
    }),
  );

  async function admit({ person, body, headers }: ChatRequest): Promise<AdmittedPrompt> {
    return sendMessage(gateway, services.newSession, {
      person,
      prompt: toPrompt(body, services.messageLength),
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

/** The text that a turn came to; throws when it came to none. */
async function answer(turn: AsyncIterable<Envelope>): Promise<string> {
  for await (const { event } of turn) {
    if (event.type !== 'turn.ended') continue;
    const failure = turnFailure(event);
    if (failure) throw failure;
    return event.text;
  }
  throw new Error('a turn was followed to its end, but there was none');
}

function failWith(render: (failure: Failure) => object) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendFailure(request, reply, error, render);
}

function chatFailure({ message }: Failure): ChatFailure {
  return { success: false, message, response: '', history: [] };
}
