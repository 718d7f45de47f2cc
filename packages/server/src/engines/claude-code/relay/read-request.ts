// Checks a request of the program before it is forwarded: whether it is allowed, and how much it can cost at most.
import type { IncomingMessage } from 'node:http';

/** What a session may request. Files and batches of the key are shared by everybody, and would not be counted. */
const allowed = /^(POST \/v1\/messages(\/count_tokens)?|GET \/v1\/models(\/\w[\w.:@-]*)?)$/;
/** The API's own limit for a request. */
const maxBytes = 32 * 1024 * 1024;

export function isAllowed(request: IncomingMessage): boolean {
  return allowed.test(`${request.method} ${pathOf(request)}`);
}

/** Whether the API charges for it. */
export function isPaid(request: IncomingMessage): boolean {
  return request.method === 'POST' && pathOf(request) === '/v1/messages';
}

/** Undefined if it is larger than the API accepts. Rejects if the program goes away. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Keeps the connection open, so that the program gets an answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      request.resume();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A token has at least about two bytes. */
const bytesPerToken = 2;
/** For a request without a limit, which the API refuses anyway. */
const usualOutput = 32_000;

/**
 * How many tokens a request can use at most. Doesn't parse the JSON, because that would take too long. Names inside a
 * text don't match, because their quotes are escaped.
 */
export function maxTokens(body: Buffer): {
  readonly model: string;
  readonly input: number;
  readonly output: number;
} {
  const text = body.toString('latin1');
  const model = /[{,]\s*"model"\s*:\s*"([^"\\]*)"/.exec(text)?.[1] ?? '';
  const limits = [...text.matchAll(/[{,]\s*"max_tokens"\s*:\s*(\d{1,9})/g)].map(([, limit]) => Number(limit));
  return {
    model,
    input: body.length / bytesPerToken,
    output: limits.length === 0 ? usualOutput : Math.max(...limits),
  };
}

/** Not parsed as a URL, because a session may send anything. */
function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/\?.*$/s, '');
}
