// The client against the real doors, over a line that tests can cut.
import { type ClientOptions, createClient, type ParleyClient } from '@parley/client';
import { type BreakableLine, lineTo } from '@parley/stand-ins';
import { WebSocket } from 'ws';
import { key } from '../doors/http/door-harness.ts';

export const transports = ['websocket', 'sse'] as const;

export interface ConnectedClient {
  readonly client: ParleyClient;
  readonly line: BreakableLine;
  close(): Promise<void>;
}

export async function connectTo(url: string, options: Partial<ClientOptions> = {}): Promise<ConnectedClient> {
  const line = await lineTo(url);
  const client = createClient({
    baseUrl: line.url,
    apiKey: key,
    headers: { 'x-notes-person': 'sebastian' },
    WebSocket,
    ...options,
  });
  return {
    client,
    line,
    async close() {
      client.close();
      await line.close();
    },
  };
}
