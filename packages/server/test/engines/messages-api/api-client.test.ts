// What is sent to the Messages API, and how its error answers are read.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createOutgoing } from '../../../src/basics/outgoing.ts';
import { createApiClient, modelStatus } from '../../../src/engines/messages-api/api-client.ts';
import { ApiProblem } from '../../../src/engines/messages-api/api-problem.ts';
import type { MessagesRequest } from '../../../src/engines/messages-api/request.ts';

const apiKey = 'sk-test-secret-key';
const now = Date.parse('2026-11-16T12:00:00Z');
const { signal } = new AbortController();
const request: MessagesRequest = { model: 'm', max_tokens: 1, stream: true, system: [], messages: [] };
const outgoing = createOutgoing();
const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

describe('a request to the Messages API', () => {
  it('carries the key, the version of the API and the body, even below a path', async () => {
    const seen: { url?: string | undefined; headers?: IncomingMessage['headers']; body?: string } = {};
    const url = await serve(async (asked, answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of asked as AsyncIterable<Buffer>) chunks.push(chunk);
      Object.assign(seen, { url: asked.url, headers: asked.headers, body: Buffer.concat(chunks).toString() });
      answer.end('data: {}\n\n');
    });
    const body = await createApiClient({ apiKey, baseUrl: `${url}/proxy/`, outgoing, clock }).open(
      request,
      signal,
    );
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('data: {}\n\n');
    expect(seen.url).toBe('/proxy/v1/messages');
    expect(JSON.parse(seen.body ?? '')).toEqual(request);
    expect(seen.headers).toMatchObject({
      'x-api-key': apiKey,
      'anthropic-version': '2026-10-21',
      'content-type': 'application/json',
      'user-agent': 'Parley',
    });
  });

  it('rejects with the reason of its signal, before and during the wait for an answer', async () => {
    const url = await serve(() => undefined);
    const client = createApiClient({ apiKey, baseUrl: url, outgoing, clock });
    const controller = new AbortController();
    const waiting = client.open(request, controller.signal);
    controller.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await expect(client.open(request, controller.signal)).rejects.toThrow('stopped');
  });
});

describe('an error answer', () => {
  it('becomes a problem with the id of the request and the time to wait', async () => {
    const error = { type: 'rate_limit_error', message: 'Slow down' };
    const problem = await refused(429, JSON.stringify({ type: 'error', error }), {
      'request-id': 'req_7',
      'retry-after': 'Mon, 16 Nov 2026 12:00:30 GMT',
      'x-should-retry': 'false',
    });
    expect(problem).toMatchObject({
      kind: 'rate-limited',
      message: 'Slow down',
      details: { status: 429, requestId: 'req_7', retryAfterMs: 30_000, shouldRetry: false },
    });
  });

  it.each([
    [302, 'refused'],
    [404, 'unknown-model'],
    [408, 'server-error'],
    [413, 'too-long'],
    [502, 'server-error'],
    [529, 'overloaded'],
  ])('is judged by its status %i when its body is not JSON', async (status, kind) => {
    const problem = await refused(status, '<html>Bad gateway</html>');
    expect(problem).toMatchObject({ kind, message: `status ${status}`, details: { status } });
  });

  it('never shows the key', async () => {
    const body = JSON.stringify({ error: { type: 'api_error', message: `bad header ${apiKey}` } });
    expect((await refused(500, body)).message).toBe('bad header [the API key]');
  });

  it('is cut when it is long', async () => {
    const error = { type: 'api_error', message: 'x'.repeat(100_000) };
    expect((await refused(500, JSON.stringify({ error }))).message).toBe('status 500');
  });
});

describe('the question about a model', () => {
  it('returns the status of the answer', async () => {
    const url = await serve((asked, answer) => {
      answer.writeHead(asked.url === '/v1/models/a%2Fb' && asked.headers['x-api-key'] === apiKey ? 200 : 404);
      answer.end('{}');
    });
    expect(await modelStatus(url, { apiKey, model: 'a/b', outgoing, signal })).toBe(200);
    expect(await modelStatus(url, { apiKey, model: 'c', outgoing, signal })).toBe(404);
  });
});

const clock = { now: () => now };

async function refused(status: number, body: string, headers = {}): Promise<ApiProblem> {
  const url = await serve((asked, answer) => {
    asked.resume();
    answer.writeHead(status, headers);
    answer.end(body);
  });
  const thrown: unknown = await createApiClient({ apiKey, baseUrl: url, outgoing, clock })
    .open(request, signal)
    .catch((error: unknown) => error);
  if (thrown instanceof ApiProblem) return thrown;
  throw new Error('The request was expected to fail.', { cause: thrown });
}

async function serve(
  answer: (asked: IncomingMessage, answer: ServerResponse) => void | Promise<void>,
): Promise<string> {
  const server = createServer((asked, response) => void answer(asked, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
