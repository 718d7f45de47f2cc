// Tells a client of events as server-sent events until they end. A failure on the way is told too, under the number
// of the last event, so that who comes back with it misses nothing.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { logFailure, toFailure } from '../errors.ts';
import { ClientStream, type ClientStreamOptions } from './client-stream.ts';
import { type ServerSentEvent, serverSentEvents } from './formats.ts';
import { headersOf } from './headers.ts';

export interface Telling {
  /** The number that the client has seen already. */
  readonly after: number;
  readonly signal: AbortSignal;
  readonly stream: ClientStreamOptions;
  /** What is told when something goes wrong outside of the events. */
  readonly failed: (message: string, recoverable: boolean) => Omit<ServerSentEvent, 'id'>;
}

/** Resolves when the stream has ended. Never rejects once the headers are sent. */
export async function tellEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  events: AsyncIterable<ServerSentEvent>,
  { after, signal, stream: options, failed }: Telling,
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
    const { status, message } = toFailure(error);
    if (status >= 500 && !signal.aborted) logFailure(request, error);
    await stream.send({ id: last, ...failed(message, status >= 500 || status === 429) });
  }
  stream.end();
}

/** The events that a wire has words for, in its words. */
export async function* inWordsOf<Event>(
  events: AsyncIterable<Event>,
  encode: (event: Event) => ServerSentEvent | undefined,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  for await (const event of events) {
    const told = encode(event);
    if (told) yield told;
  }
}

/** The same events; nothing when there are none. Waits for the first one. */
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
