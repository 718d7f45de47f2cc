// The formats of streams: lines of JSON, and server-sent events.
import type { StreamFormat } from './client-stream.ts';

export const ndjson: StreamFormat<object> = {
  contentType: 'application/x-ndjson; charset=utf-8',
  ping: '{"type":"ping"}\n',
  encode: (line) => `${JSON.stringify(line)}\n`,
};

export interface ServerSentEvent {
  /** The client names it in `Last-Event-ID` when it comes back. */
  readonly id: number;
  /** Absent for events that have no name. */
  readonly event?: string;
  /** Absent where only the number is told: clients remember it and see no event. */
  readonly data?: unknown;
}

export const serverSentEvents: StreamFormat<ServerSentEvent> = {
  contentType: 'text/event-stream; charset=utf-8',
  // A comment: it keeps the connection open and no client sees it.
  ping: ': still here\n\n',
  encode: ({ id, event, data }) =>
    `id: ${id}\n${event === undefined ? '' : `event: ${event}\n`}${data === undefined ? '' : `data: ${JSON.stringify(data)}\n`}\n`,
};
