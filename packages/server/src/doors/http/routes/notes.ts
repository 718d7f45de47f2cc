// The notes assistant: chat as JSON, chat as NDJSON stream, clear, history.
import {
  type ChatFailure,
  type ChatResponse,
  type ClearResponse,
  type HistoryResponse,
  ParleyError,
  type SessionEvent,
} from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdmittedPrompt, Gateway, NewSession } from '../../../domain/gateway.ts';
import type { App } from '../app.ts';
import { type Failure, logFailure, sendFailure, toFailure } from '../errors.ts';
import { clearSession, readHistory, sendMessage } from '../notes/conversation.ts';
import { toStreamLine, turnFailure } from '../notes/lines.ts';
import * as schemas from '../notes/schemas.ts';
import { followTurn } from '../streams/follow-turn.ts';
import { NdjsonStream, type NdjsonStreamOptions } from '../streams/ndjson-stream.ts';
import type { OpenRequests } from '../streams/open-requests.ts';

export interface NotesServices {
  readonly gateway: Gateway;
  readonly newSession: NewSession;
  readonly messageLength: number;
  readonly requests: OpenRequests;
  readonly stream: NdjsonStreamOptions;
}

export function notesRoutes(app: App, services: NotesServices): void {
  const { gateway, requests } = services;

  app.post(
    '/api/claude/chat',
    { schema: schemas.chat, errorHandler: failWith(chatFailure) },
    async (request, reply): Promise<ChatResponse> => {
      const signal = requests.open('json', reply.raw);
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
      const signal = requests.open('ndjson', reply.raw);
      const admitted = await admit(request);
      const { id } = admitted.session;
      reply.header('x-session-id', id).hijack();
      const stream = new NdjsonStream(reply.raw, headersOf(reply), services.stream);
      try {
        for await (const event of followTurn(gateway, request.person, admitted, signal)) {
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
    if (body.message.length > services.messageLength) {
      throw new ParleyError(
        'too_large',
        `\`message\` is longer than ${services.messageLength} characters. Send it in parts.`,
      );
    }
    return sendMessage(gateway, services.newSession, {
      person,
      text: body.message,
      sessionId: body.session_id ?? undefined,
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
async function answer(turn: AsyncIterable<SessionEvent>): Promise<string> {
  for await (const event of turn) {
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

/** What the policy has set, for a response that is written past the framework. */
function headersOf(reply: FastifyReply): Record<string, string | string[] | number> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
