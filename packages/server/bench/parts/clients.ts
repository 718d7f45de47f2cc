// The same client for every way: it sends one message and sees the pieces of the answer arrive.
import { Agent, request } from 'node:http';
import { apiKey } from './processes.ts';

/** A way to the model: straight to it (or through a proxy), or through Parley. */
export interface Way {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Every piece of an answer has this word once, however the pieces are packed on their way. */
export const word = 'piece';
const marker = Buffer.from(word);

const agent = keptConnections();

/** Let go of before a server does so, which would break a request that is just being sent. */
export function keptConnections(): Agent {
  return new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, timeout: 2_000 });
}

export function straight(url: string): Way {
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

export function throughParley(url: string): Way {
  return {
    url,
    path: '/api/claude/chat-stream',
    headers: { 'x-api-key': apiKey },
    body: { message: 'go' },
  };
}

/** Resolves with the number of pieces when the answer is over. */
export function ask(way: Way, onPieces?: (count: number) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify(way.body);
    const sent = request(
      `${way.url}${way.path}`,
      {
        method: 'POST',
        agent,
        headers: {
          ...way.headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`${way.path} answered ${response.statusCode}`));
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

/** Opens a stream and leaves it open; the call resolves with its first piece. */
export function hold(way: Way): Promise<{ close(): void }> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    fetch(`${way.url}${way.path}`, {
      method: 'POST',
      headers: { ...way.headers, 'content-type': 'application/json' },
      body: JSON.stringify(way.body),
      signal: controller.signal,
    }).then(async (response) => {
      const reader = response.body?.getReader();
      await reader?.read();
      resolve({ close: () => controller.abort() });
    }, reject);
  });
}

function occurrences(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(marker); at >= 0; at = chunk.indexOf(marker, at + marker.length)) count += 1;
  return count;
}
