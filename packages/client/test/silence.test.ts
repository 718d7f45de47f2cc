// A stream whose server disappears without closing the connection.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../src/index.ts';

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] }),
);
afterEach(() => void vi.useRealTimers());

describe('an event stream', () => {
  it('reconnects after its last event when nothing has arrived for 15 seconds [cluster.client.silence]', async () => {
    const lastIds: (string | null)[] = [];
    const envelope = { seq: 7, sessionId: 's', at: 1, event: { type: 'notice', code: 'x', message: 'y' } };
    const fetch: typeof globalThis.fetch = async (_, init) => {
      lastIds.push(new Headers(init?.headers).get('last-event-id'));
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          init?.signal?.addEventListener('abort', () => controller.error(new Error('aborted')));
          controller.enqueue(new TextEncoder().encode(`id: 7\ndata: ${JSON.stringify(envelope)}\n\n`));
        },
      });
      return new Response(body);
    };
    const client = createClient({ baseUrl: 'http://parley.test', fetch, transport: 'sse' });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { seq } of client.subscribe('s', { after: 3 })) seen.push(seq);
    })().catch(() => undefined);
    await vi.advanceTimersByTimeAsync(14_000);
    expect(lastIds).toEqual(['3']);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(lastIds).toEqual(['3', '7']);
    expect(seen).toEqual([7]);
    client.close();
    await reading;
  });
});
