// What is over stays over: a refused conversation, a reader that left, a closed client. What is only busy does not.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../src/index.ts';
import { MemoryServer, sessionId } from './memory-server.ts';

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] }),
);
afterEach(() => void vi.useRealTimers());

describe('a conversation', () => {
  it('stays failed if the server refuses it while the events so far are still arriving', async () => {
    const server = new MemoryServer();
    server.details.lastSeq = 5;
    const client = server.client();
    const conversation = client.conversation(sessionId);
    conversation.use();
    await vi.waitUntil(() => server.received.some(({ type }) => type === 'subscribe'));
    server.send({ type: 'ended', session: sessionId, code: 'not_found', message: 'It is gone.' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(conversation.snapshot()).toMatchObject({ status: 'failed', error: { code: 'not_found' } });
    client.close();
  });

  it('opens by itself when the server was too busy for it', async () => {
    const server = new MemoryServer();
    server.isBusy = true;
    const client = server.client();
    const conversation = client.conversation(sessionId);
    conversation.use();
    await vi.waitUntil(() => conversation.snapshot().status === 'failed');
    server.isBusy = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(conversation.snapshot().status).toBe('open');
    client.close();
  });
});

describe('a client that was closed', () => {
  it('does not send a prompt again that was on its way', async () => {
    const server = new MemoryServer();
    server.isDown = true;
    const client = server.client();
    client.conversation(sessionId).send({ text: 'Hi', images: [] });
    client.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.requests).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the connection of event streams', () => {
  it('is no longer lost when the reader of the broken stream has left', async () => {
    let isBroken = false;
    const breaks: (() => void)[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const isFragile = (input instanceof Request ? input.url : input.toString()).includes('fragile');
      if (isFragile && isBroken) throw new TypeError('fetch failed');
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const fail = () => controller.error(new Error('broken'));
          init?.signal?.addEventListener('abort', fail);
          if (isFragile) breaks.push(fail);
        },
      });
      return new Response(body);
    };
    const client = createClient({ baseUrl: 'http://parley.test', fetch, transport: 'sse' });
    const leaving = new AbortController();
    const read = async (session: string, signal?: AbortSignal) => {
      for await (const _ of client.subscribe(session, { signal }));
    };
    const steady = read('steady').catch(() => undefined);
    const fragile = read('fragile', leaving.signal);
    await vi.waitUntil(() => breaks.length === 1);
    isBroken = true;
    for (const fail of breaks) fail();
    await vi.waitUntil(() => client.connection.snapshot() === 'lost');
    leaving.abort();
    await fragile;
    expect(client.connection.snapshot()).toBe('open');
    client.close();
    await steady;
  });
});
