// Sends events to a client as server-sent events until they end. A failure is sent too, with the id of the last event,
// so that a client that resumes from it misses nothing.
import type { ErrorCode } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { logFailure, toFailure } from '../errors.ts';
import { ClientStream, type ClientStreamOptions, headersOf } from './client-stream.ts';
import { type ServerSentEvent, serverSentEvents } from './formats.ts';

export interface SendOptions {
  /** The last number the client has seen. */
  readonly after: number;
  readonly signal: AbortSignal;
  readonly stream: ClientStreamOptions;
  /** The event to send if something goes wrong outside the events. */
  readonly failed: (message: string, recoverable: boolean, code: ErrorCode) => Omit<ServerSentEvent, 'id'>;
}

/** Resolves when the stream has ended. Never rejects once the headers are sent. */
export async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  events: AsyncIterable<ServerSentEvent>,
  { after, signal, stream: options, failed }: SendOptions,
): Promise<void> {
  reply.hijack();
  const stream = new ClientStream(reply.raw, headersOf(reply), serverSentEvents, options);
  let last = after;
  try {
    for await (const event of events) {
      last = event.id;
      await stream.send(event);
    }
  } catch (error) {
    const { status, message, code } = toFailure(error);
    if (status >= 500 && !signal.aborted) logFailure(request, error);
    await stream.send({ id: last, ...failed(message, status >= 500 || status === 429, code) });
  }
  stream.end();
}

/** Encodes events for a wire and drops those it doesn't carry. */
export async function* encodeEvents<Event>(
  events: AsyncIterable<Event>,
  encode: (event: Event) => ServerSentEvent | undefined,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  for await (const event of events) {
    const encoded = encode(event);
    if (encoded) yield encoded;
  }
}

/** Waits for the first event. Undefined if there is none. */
export async function unlessEmpty<Event>(
  events: AsyncGenerator<Event, void, undefined>,
): Promise<AsyncGenerator<Event, void, undefined> | undefined> {
  const first = await events.next();
  if (first.done) return undefined;
  return (async function* () {
    yield first.value;
    yield* events;
  })();
}
