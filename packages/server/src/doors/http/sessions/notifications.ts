// Notifications about a person's sessions as server-sent events.
import { ErrorBody, SessionNotification } from '@parley/protocol';
import { z } from 'zod';
import { type ActivityFeed, type NumberedActivity, toNotification } from '../../../domain/activity.ts';
import type { App } from '../app.ts';
import { person } from '../openapi/fields.ts';
import { response, responses } from '../openapi/responses.ts';
import type { ClientStreamOptions } from '../streams/client-stream.ts';
import type { ServerSentEvent } from '../streams/formats.ts';
import { noHead, type OpenRequests } from '../streams/open-requests.ts';
import { encodeEvents, sendEvents } from '../streams/send-events.ts';

export interface NotificationServices {
  readonly activity: ActivityFeed;
  readonly requests: OpenRequests;
  readonly stream: ClientStreamOptions;
}

const schema = {
  tags: ['notifications'],
  summary: "Notifications about a person's sessions, as server-sent events",
  description:
    'Events: `claude-session-updated` (a title changed), `permission-waiting`, `mentioned` and `turn-ended`. The stream stays open.',
  querystring: z.object({ person }),
  headers: z.object({
    'last-event-id': z
      .string()
      .regex(/^\d{1,16}$/, 'Last-Event-ID must be an event id from this stream.')
      .optional(),
  }),
  response: {
    ...responses(z.unknown(), ErrorBody),
    200: response('Server-sent events with `data` as JSON.', 'text/event-stream', SessionNotification),
  },
};

export function notificationRoutes(app: App, { activity, requests, stream }: NotificationServices): void {
  app.get('/api/notifications', { schema, ...noHead }, async (request, reply) => {
    const signal = requests.open('sse', reply);
    const after = Number(request.headers['last-event-id'] ?? activity.lastNumber(request.person));
    const events = activity.subscribe(request.actor, { signal, after });
    await sendEvents(request, reply, fromPosition(after, events), { after, signal, stream, failed });
  });
}

/** Sends the position first, so that a client that loses the stream before its first event can resume. */
async function* fromPosition(
  id: number,
  events: AsyncIterable<NumberedActivity>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  yield { id };
  yield* encodeEvents(events, toSse);
}

function toSse({ number, activity }: NumberedActivity): ServerSentEvent {
  const { name, data } = toNotification(activity);
  return { id: number, event: name, data };
}

function failed(message: string) {
  return { event: 'error', data: { message } };
}
