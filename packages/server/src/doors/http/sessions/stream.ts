// The live side of a conversation with any assistant: prompts go in, numbered events come out.
import type { Envelope } from '@parley/protocol';
import type { Gateway } from '../../../domain/gateway.ts';
import { promptOnce } from '../../../domain/prompt-once.ts';
import type { App } from '../app.ts';
import type { ClientStreamOptions } from '../streams/client-stream.ts';
import { followSession } from '../streams/follow-turn.ts';
import type { ServerSentEvent } from '../streams/formats.ts';
import { noHead, type OpenRequests } from '../streams/open-requests.ts';
import { encodeEvents, sendEvents } from '../streams/send-events.ts';
import * as schemas from './schemas.ts';
import { toSessionId } from './send-message.ts';
import { imageBodies, messageToPrompt } from './typed-message.ts';

export interface SessionStreamServices {
  readonly gateway: Gateway;
  readonly messageLength: number;
  /** The largest body, but for the images in it. */
  readonly bodyBytes: number;
  readonly requests: OpenRequests;
  readonly stream: ClientStreamOptions;
}

export function sessionStreamRoutes(app: App, services: SessionStreamServices): void {
  const { gateway, requests, stream } = services;

  app.post(
    '/api/sessions/:id/prompts',
    { schema: schemas.prompt, ...imageBodies(schemas.mostImages, services.bodyBytes) },
    async ({ person, params, body, headers }, reply) => {
      const key = headers['idempotency-key'];
      const session = toSessionId(params.id);
      const prompt = messageToPrompt(body, services.messageLength);
      if (body.steer === true && (await gateway.steer(person, session, prompt, key))) {
        return reply.code(202).send({ turnId: null, steered: true as const });
      }
      const { turnId, after } = await promptOnce(gateway, {
        person,
        session,
        prompt,
        // Pages that follow the events can settle permissions, unlike clients of the other endpoints.
        door: 'web',
        ...(key !== undefined && { key }),
      });
      return reply.code(202).send({ turnId, after });
    },
  );

  app.get('/api/sessions/:id/events', { schema: schemas.events, ...noHead }, async (request, reply) => {
    const { person, query, headers } = request;
    const id = toSessionId(request.params.id);
    const signal = requests.open('sse', reply);
    const { lastSeq } = await gateway.state(person, id);
    const seen = headers['last-event-id'];
    const after = seen === undefined ? (query.after ?? lastSeq) : Number(seen);
    const events = encodeEvents(followSession(gateway, person, id, after, signal), inFull);
    await sendEvents(request, reply, events, { after, signal, stream, failed });
  });
}

function inFull(envelope: Envelope): ServerSentEvent {
  return { id: envelope.seq, data: envelope };
}

/** Named, so that who reads plain events is not given what is none. */
function failed(message: string, recoverable: boolean): Omit<ServerSentEvent, 'id'> {
  return { event: 'error', data: { message, recoverable } };
}
