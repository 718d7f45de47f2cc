// Stream formats: lines of JSON, and server-sent events.
import type { StreamFormat } from './client-stream.ts';

export const ndjson: StreamFormat<object> = {
  contentType: 'application/x-ndjson; charset=utf-8',
  ping: '{"type":"ping"}\n',
  encode: (line) => `${JSON.stringify(line)}\n`,
};

export interface ServerSentEvent {
  /** The client sends it as `Last-Event-ID` when it reconnects. */
  readonly id: number;
  /** Absent for unnamed events. */
  readonly event?: string;
  /** Absent to send only the id: clients remember it and see no event. */
  readonly data?: unknown;
}

export const serverSentEvents: StreamFormat<ServerSentEvent> = {
  contentType: 'text/event-stream; charset=utf-8',
  // A comment: keeps the connection open, invisible to clients.
  ping: ': still here\n\n',
  encode: ({ id, event, data }) =>
    `id: ${id}\n${event === undefined ? '' : `event: ${event}\n`}${data === undefined ? '' : `data: ${JSON.stringify(data)}\n`}\n`,
};
