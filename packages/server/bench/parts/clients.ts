// One client for all routes to the model: sends one message and counts the pieces of the answer.
import { Agent, request } from 'node:http';
import { apiKey } from './processes.ts';

/** A route to the model: directly (or through a proxy), or through Parley. */
export interface Route {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Every piece of an answer contains this word once, no matter how the pieces are packed in transit. */
export const word = 'piece';
const marker = Buffer.from(word);

const agent = reusedConnections();

/** Closes idle connections before the server does. If the server did it, a request on its way could break. */
export function reusedConnections(): Agent {
  return new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, timeout: 2_000 });
}

export function direct(url: string): Route {
  return {
    url,
    path: '/v1/messages',
    headers: { 'x-api-key': 'bench', 'anthropic-version': '2023-06-01' },
    body: {
      model: 'claude-sonnet-4-5',
      max_tokens: 1_000,
      stream: true,
      messages: [{ role: 'user', content: 'go' }],
    },
  };
}

export function throughParley(url: string, person = 'bench'): Route {
  return {
    url,
    path: '/api/claude/chat-stream',
    headers: { 'x-api-key': apiKey, 'x-notes-person': person },
    body: { message: 'go' },
  };
}

/** Resolves to the number of pieces when the answer is complete. */
export function ask(route: Route, onPieces?: (count: number) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify(route.body);
    const sent = request(
      `${route.url}${route.path}`,
      {
        method: 'POST',
        agent,
        headers: {
          ...route.headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`${route.path} answered ${response.statusCode}`));
        let total = 0;
        let tail: Buffer = Buffer.alloc(0);
        response.on('data', (chunk: Buffer) => {
          const count = occurrences(Buffer.concat([tail, chunk]));
          tail = chunk.subarray(1 - marker.length);
          total += count;
          if (count > 0) onPieces?.(count);
        });
        response.on('end', () => resolve(total));
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Opens a stream and leaves it open. Resolves when its first piece arrives; rejects if the server refuses it. */
export async function hold(route: Route): Promise<{ close(): void }> {
  const controller = new AbortController();
  const response = await fetch(`${route.url}${route.path}`, {
    method: 'POST',
    headers: { ...route.headers, 'content-type': 'application/json' },
    body: JSON.stringify(route.body),
    signal: controller.signal,
  });
  if (!response.ok) throw new Error(`${route.path} answered ${response.status}`);
  await response.body?.getReader().read();
  return { close: () => controller.abort() };
}

function occurrences(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(marker); at >= 0; at = chunk.indexOf(marker, at + marker.length)) count += 1;
  return count;
}
