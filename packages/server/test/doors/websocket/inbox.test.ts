// What a page sends while its earlier messages are still being processed.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { ByteBudget } from '../../../src/basics/byte-budget.ts';
import { Inbox } from '../../../src/doors/websocket/inbox.ts';

const megabyte = 1024 * 1024;
const memory = new ByteBudget({ each: 100 * megabyte, all: 100 * megabyte }).of('petra');

describe('the inbox of a page', () => {
  it.each([
    { kind: 'large', size: 4 * megabyte, sent: 12, most: 4 },
    { kind: 'small', size: 10_000, sent: 200, most: 64 },
  ])('holds a limited amount of $kind messages, and processes all of them in order', async (many) => {
    await using pair = await connect();
    const taken: string[] = [];
    let arrived = 0;
    pair.server.on('message', () => {
      arrived += 1;
    });
    const inbox = new Inbox(
      pair.server,
      memory,
      async (text) => void taken.push(text.slice(0, 3)),
      () => undefined,
    );

    const names = Array.from({ length: many.sent }, (_, index) => String(index).padStart(3, '0'));
    for (const name of names) pair.client.send(name.padEnd(many.size, '.'));

    await expect.poll(() => pair.server.isPaused).toBe(true);
    // What the socket had already read when it was paused still arrives.
    const alreadyRead = Math.ceil((64 * 1024) / many.size);
    expect(arrived).toBeLessThanOrEqual(many.most + alreadyRead);
    expect(taken).toEqual([]);
    inbox.open();
    await expect.poll(() => taken).toEqual(names);
  });

  it('continues only after the failure was reported to the page', async () => {
    await using pair = await connect();
    let tried = 0;
    let reported = () => {};
    const inbox = new Inbox(
      pair.server,
      memory,
      async () => {
        tried += 1;
        throw new Error('no such message');
      },
      () => new Promise((resolve) => (reported = resolve)),
    );
    inbox.open();

    for (let sent = 0; sent < 200; sent += 1) pair.client.send('nonsense');
    await expect.poll(() => pair.server.isPaused).toBe(true);

    expect(tried).toBe(1);
    reported();
    await expect.poll(() => tried).toBe(2);
  });
});

async function connect() {
  const host = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(host, 'listening');
  const { port } = host.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  const [server] = (await once(host, 'connection')) as [WebSocket];
  await once(client, 'open');
  return {
    server,
    client,
    async [Symbol.asyncDispose]() {
      client.terminate();
      // A paused socket doesn't notice that its peer is gone.
      server.terminate();
      await new Promise((resolve) => host.close(resolve));
    },
  };
}
