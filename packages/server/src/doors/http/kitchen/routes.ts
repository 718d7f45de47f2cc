// The kitchen assistant: chat as server-sent events that a client can come back to, and a way to stop it.
import type { ChatEvent } from '@parley/protocol';
import type { Gateway, NewSession } from '../../../domain/gateway.ts';
import type { App } from '../app.ts';
import { imageBodies } from '../sessions/image-bodies.ts';
import { sendMessage, toSessionId } from '../sessions/send-message.ts';
import { toPrompt } from '../sessions/to-prompt.ts';
import type { ClientStreamOptions } from '../streams/client-stream.ts';
import { followRest, followRunning, followTurn, isIdle } from '../streams/follow-turn.ts';
import { noHead, type OpenRequests } from '../streams/open-requests.ts';
import { inWordsOf, tellEvents, unlessEmpty } from '../streams/tell-events.ts';
import { toSse } from './events.ts';
import * as schemas from './schemas.ts';

export interface ChatServices {
  readonly gateway: Gateway;
  readonly newSession: NewSession;
  readonly messageLength: number;
  /** The largest body, but for the image in it. */
  readonly bodyBytes: number;
  readonly requests: OpenRequests;
  readonly stream: ClientStreamOptions;
}

export function chatRoutes(app: App, services: ChatServices): void {
  const { gateway, requests, stream } = services;

  app.post(
    '/api/chat',
    { schema: schemas.chat, ...imageBodies(1, services.bodyBytes) },
    async (request, reply) => {
      const { person, body } = request;
      const prompt = toPrompt(body, services.messageLength);
      const signal = requests.open('sse', reply);
      const admitted = await sendMessage(gateway, services.newSession, {
        person,
        prompt,
        sessionId: body.conversation_id,
        key: request.headers['idempotency-key'],
      });
      reply.header('x-conversation-id', admitted.session.id);
      const events = inWordsOf(followTurn(gateway, person, admitted, signal), toSse);
      await tellEvents(request, reply, events, { after: admitted.after, signal, stream, failed });
    },
  );

  app.get(
    '/api/chat/:conversation_id/events',
    { schema: schemas.chatEvents, ...noHead },
    async (request, reply) => {
      const { person } = request;
      const id = toSessionId(request.params.conversation_id);
      const signal = requests.open('sse', reply);
      const state = await gateway.state(person, id);
      const seen = request.headers['last-event-id'];
      const after = seen === undefined ? state.lastSeq : Number(seen);
      const events = inWordsOf(
        seen === undefined
          ? followRunning(gateway, person, state, signal)
          : followRest(gateway, person, state, after, signal),
        toSse,
      );
      reply.header('x-conversation-id', id);
      // A browser that gets 204 does not come back by itself, which is right when there is nothing to come back for.
      const told = isIdle(state) ? await unlessEmpty(events) : events;
      if (!told) return reply.code(204).send(null);
      await tellEvents(request, reply, told, { after, signal, stream, failed });
      return reply;
    },
  );

  app.post('/api/chat/:conversation_id/stop', { schema: schemas.stop }, async (request) => ({
    stopped: await gateway.interrupt(request.person, toSessionId(request.params.conversation_id)),
  }));
}

function failed(message: string, recoverable: boolean): ChatEvent {
  return { event: 'error', data: { message, recoverable } };
}
