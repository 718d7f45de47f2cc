// Reads server-sent events over fetch, from one connection.
import type { Envelope } from '@parley/protocol';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ApiError, type Http } from './http.ts';

export interface StreamEvent {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data: string;
}

export interface StreamOptions {
  /** The id of the last event that was seen. */
  readonly lastId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when the server has accepted the request. */
  readonly onOpen?: (() => void) | undefined;
  /** Called for everything that arrives, including keep-alives. */
  readonly onBytes?: (() => void) | undefined;
}

/** Ends when the connection does. */
export async function* streamEvents(
  http: Http,
  path: string,
  { lastId, signal, onOpen, onBytes }: StreamOptions,
): AsyncGenerator<StreamEvent, void, void> {
  const response = await http.request(path, {
    signal,
    headers: { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) },
  });
  onOpen?.();
  if (!response.body) return;
  const watched = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      onBytes?.();
      controller.enqueue(chunk);
    },
  });
  const reader = response.body
    .pipeThrough(watched)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The envelope in an event of a session's stream. Throws if the server reports an error instead. */
export function toEnvelope({ event, data }: StreamEvent): Envelope {
  if (event !== 'error') return JSON.parse(data) as Envelope;
  const { message, code, recoverable } = JSON.parse(data) as {
    readonly message: string;
    readonly recoverable: boolean;
    readonly code?: string;
  };
  throw new ApiError(recoverable ? 503 : 410, code ?? (recoverable ? 'unavailable' : 'lagged'), message);
}
