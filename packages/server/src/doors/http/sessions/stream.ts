// The live side of a conversation with any assistant: prompts go in, numbered events come out.
import type { IncomingHttpHeaders } from 'node:http';
import type { Envelope } from '@parley/protocol';
import { type CodeSessions, openSession } from '../../../domain/code-sessions.ts';
import type { Door } from '../../../domain/doors.ts';
import type { AdmittedPrompt, Gateway } from '../../../domain/gateway.ts';
import { promptOnce } from '../../../domain/prompt-once.ts';
import { toSessionId } from '../../session-id.ts';
import type { App } from '../app.ts';
import { onlyForwarded } from '../forwarding.ts';
import { attachmentBodies, messageToPrompt } from '../messages/typed-message.ts';
import type { ClientStreamOptions } from '../streams/client-stream.ts';
import { followSession } from '../streams/follow-turn.ts';
import type { ServerSentEvent } from '../streams/formats.ts';
import { noHead, type OpenRequests } from '../streams/open-requests.ts';
import { encodeEvents, sendEvents } from '../streams/send-events.ts';
import { onMachine } from './routes.ts';
import * as schemas from './stream-schemas.ts';

export interface SessionStreamServices {
  readonly gateway: Gateway;
  /** Absent if Claude Code is switched off. */
  readonly codeSessions: CodeSessions | undefined;
  readonly messageLength: number;
  /** The largest body, not counting what is attached. */
  readonly bodyBytes: number;
  readonly requests: OpenRequests;
  readonly stream: ClientStreamOptions;
}

export function sessionStreamRoutes(app: App, services: SessionStreamServices): void {
  const { gateway, codeSessions, requests, stream } = services;

  app.post(
    '/api/sessions/:id/prompts',
    { schema: schemas.prompt, ...attachmentBodies(services.bodyBytes) },
    async ({ actor, params, body, headers }, reply) => {
      const key = headers['idempotency-key'];
      const session = toSessionId(params.id);
      const forwarded = onlyForwarded(actor, body.forwarded);
      const prompt = forwarded?.prompt ?? messageToPrompt(body, services.messageLength);
      const isSteered = body.steer === true && (await gateway.steer(actor, session, prompt, key));
      // The other server sends the prompt itself if it can't be added to the running turn.
      if (isSteered || (body.steer === true && forwarded))
        return reply.code(202).send({ turnId: null, steered: isSteered });
      if (forwarded) {
        const request = { person: actor, session, ...forwarded, ...(key !== undefined && { key }) };
        return reply.code(202).send(receiptOf(await gateway.prompt(request)));
      }
      const { turnId, after } = await promptOnce(gateway, {
        person: actor,
        session,
        prompt,
        door: doorOf(headers),
        ...(key !== undefined && { key }),
      });
      return reply.code(202).send({ turnId, after });
    },
  );

  app.post(
    '/api/sessions/:id/branches',
    { config: onMachine, schema: schemas.branch, ...attachmentBodies(services.bodyBytes) },
    async ({ actor, params, body, headers }, reply) => {
      const key = headers['idempotency-key'];
      const { id } = await openSession(gateway, codeSessions, actor, toSessionId(params.id));
      const forwarded = onlyForwarded(actor, body.forwarded);
      const admitted = await gateway.branch({
        person: actor,
        session: id,
        before: body.before,
        ...(forwarded ?? {
          prompt: messageToPrompt(body, services.messageLength),
          door: doorOf(headers),
        }),
        ...(key !== undefined && { key }),
      });
      const { session, turnId, after } = admitted;
      return reply.code(201).send({ session, ...(forwarded ? receiptOf(admitted) : { turnId, after }) });
    },
  );

  app.get('/api/sessions/:id/events', { schema: schemas.events, ...noHead }, async (request, reply) => {
    const { actor, query, headers } = request;
    const id = toSessionId(request.params.id);
    const signal = requests.open('sse', reply);
    const { lastSeq } = await gateway.state(actor, id);
    const seen = headers['last-event-id'];
    const after = seen === undefined ? (query.after ?? lastSeq) : Number(seen);
    const events = encodeEvents(followSession(gateway, actor, id, after, signal), inFull);
    await sendEvents(request, reply, events, { after, signal, stream, failed });
  });
}

function inFull(envelope: Envelope): ServerSentEvent {
  return { id: envelope.seq, data: envelope };
}

function receiptOf({ turnId, after, fresh, prompt }: AdmittedPrompt) {
  return { turnId, after, fresh, ...(!fresh && { prompt }) };
}

/** A named event, so that clients that read unnamed ones don't mistake it for an envelope. */
function failed(message: string, recoverable: boolean, code: string): Omit<ServerSentEvent, 'id'> {
  return { event: 'error', data: { code, message, recoverable } };
}

/** Browsers name the page's origin with every POST; programs have none. */
function doorOf({ origin }: IncomingHttpHeaders): Door {
  return origin === undefined ? 'programs' : 'browser';
}
