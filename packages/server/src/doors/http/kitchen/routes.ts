// The kitchen assistant: chat as resumable server-sent events, and a way to stop a turn.
import type { ChatEvent } from '@parley/protocol';
import type { Gateway, NewSession } from '../../../domain/gateway.ts';
import { toSessionId } from '../../session-id.ts';
import type { App } from '../app.ts';
import { sendMessage } from '../messages/send-message.ts';
import { attachmentBodies, messageToPrompt } from '../messages/typed-message.ts';
import type { ClientStreamOptions } from '../streams/client-stream.ts';
import { followRest, followRunning, followTurn, isIdle, withoutFrames } from '../streams/follow-turn.ts';
import { noHead, type OpenRequests } from '../streams/open-requests.ts';
import { encodeEvents, sendEvents, unlessEmpty } from '../streams/send-events.ts';
import { toSse } from './events.ts';
import * as schemas from './schemas.ts';

export interface KitchenServices {
  readonly gateway: Gateway;
  readonly newSession: NewSession;
  readonly messageLength: number;
  /** The largest body, not counting what is attached. */
  readonly bodyBytes: number;
  readonly requests: OpenRequests;
  readonly stream: ClientStreamOptions;
}

export function kitchenRoutes(app: App, services: KitchenServices): void {
  const { gateway, requests, stream } = services;

  app.post(
    '/api/chat',
    { schema: schemas.chat, ...attachmentBodies(services.bodyBytes) },
    async (request, reply) => {
      const { actor, body } = request;
      const prompt = messageToPrompt(body, services.messageLength);
      const signal = requests.open('sse', reply);
      const admitted = await sendMessage(gateway, services.newSession, {
        actor,
        prompt,
        sessionId: body.conversation_id,
        key: request.headers['idempotency-key'],
      });
      reply.header('x-conversation-id', admitted.session.id);
      const events = encodeEvents(withoutFrames(followTurn(gateway, actor, admitted, signal)), toSse);
      await sendEvents(request, reply, events, { after: admitted.after, signal, stream, failed });
    },
  );

  app.get(
    '/api/chat/:conversation_id/events',
    { schema: schemas.chatEvents, ...noHead },
    async (request, reply) => {
      const { actor } = request;
      const id = toSessionId(request.params.conversation_id);
      const signal = requests.open('sse', reply);
      const state = await gateway.state(actor, id);
      const seen = request.headers['last-event-id'];
      const after = seen === undefined ? state.lastSeq : Number(seen);
      const envelopes =
        seen === undefined
          ? followRunning(gateway, actor, state, signal)
          : followRest(gateway, actor, state, after, signal);
      const events = encodeEvents(withoutFrames(envelopes), toSse);
      reply.header('x-conversation-id', id);
      // 204 tells the browser's EventSource not to reconnect, which is right if nothing is left to send.
      const rest = isIdle(state) ? await unlessEmpty(events) : events;
      if (!rest) return reply.code(204).send(null);
      await sendEvents(request, reply, rest, { after, signal, stream, failed });
      return reply;
    },
  );

  app.post('/api/chat/:conversation_id/stop', { schema: schemas.stop }, async (request) => ({
    stopped: await gateway.interrupt(request.actor, toSessionId(request.params.conversation_id)),
  }));
}

function failed(message: string, recoverable: boolean): ChatEvent {
  return { event: 'error', data: { message, recoverable } };
}
