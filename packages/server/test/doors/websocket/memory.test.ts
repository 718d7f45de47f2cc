// How much of what clients send may wait in memory, over sockets and over HTTP.
import { request } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { gate, key, startDoor } from '../http/door-harness.ts';
import { type CodeDoor, startCodeDoor } from './harness.ts';
import type { PageClient } from './page-client.ts';

const kilobyte = 1_024;
const waitingBytes = { each: 1_000 * kilobyte, all: 1_500 * kilobyte };
const piece = 'x'.repeat(400 * kilobyte);

async function start(): Promise<{ door: CodeDoor; id: string; petras: string }> {
  const door = await startCodeDoor({ http: { limits: { waitingBytes } }, promptLength: 10_000_000 });
  onTestFinished(() => door.stop());
  const wanted = { workingDir: '/work/garden', mode: 'ui' as const };
  const { id: petras } = await door.sessions.create('petra', wanted);
  return { door, id: await door.newSession(), petras };
}

/** Sends the first part of a message, and waits until it has arrived: pings are answered in order. */
async function sendPart({ socket }: PageClient, part: string): Promise<void> {
  socket.send(part, { fin: false });
  await new Promise<void>((resolve) => {
    socket.once('pong', () => resolve());
    socket.once('close', () => resolve());
    socket.ping();
  });
}

describe('messages that arrive on sockets', () => {
  it('are limited for each person: the socket that sends too much is closed [code.live.memory]', async () => {
    const { door, id } = await start();
    const pages = await Promise.all([1, 2, 3].map(() => door.open(id)));
    const [first, second, third] = pages as [PageClient, PageClient, PageClient];
    await sendPart(first, piece);
    await sendPart(second, piece);
    await sendPart(third, piece);
    expect(await third.untilClosed()).toEqual({
      code: 1013,
      reason: 'Too much is waiting to be processed. Send less at once, or try again in a moment.',
    });
    expect([first.closed, second.closed]).toEqual([undefined, undefined]);

    first.drop();
    await vi.waitFor(
      async () => {
        const again = await door.open(id);
        await sendPart(again, piece);
        expect(again.closed).toBeUndefined();
      },
      { timeout: 60_000 },
    );
  });

  it('that come at the same time and are too large together make room for each other', async () => {
    const { door, id } = await start();
    const pages = await Promise.all(Array.from({ length: 8 }, () => door.open(id)));
    for (const page of pages) page.send({ type: 'nonsense', piece });
    const isSettled = (page: PageClient) => page.closed !== undefined || page.ofType('error').length > 0;
    await expect.poll(() => pages.every(isSettled)).toBe(true);
    expect(pages.filter(({ closed }) => closed === undefined).length).toBeGreaterThanOrEqual(2);
  });

  it('are limited for all people together [code.live.memory]', async () => {
    const { door, id, petras } = await start();
    const mine = await Promise.all([1, 2].map(() => door.open(id)));
    const hers = await Promise.all([1, 2].map(() => door.open(petras, { person: 'petra' })));
    for (const page of [...mine, hers[0] as PageClient]) await sendPart(page, piece);
    await sendPart(hers[1] as PageClient, piece);
    expect((await (hers[1] as PageClient).untilClosed()).code).toBe(1013);
    expect([...mine, hers[0]].map((page) => page?.closed)).toEqual([undefined, undefined, undefined]);
  });

  it('count until they are carried out, and no longer', async () => {
    const { door, id } = await start();
    const page = await door.open(id);
    for (let sent = 1; sent <= 8; sent += 1) {
      page.send({ type: 'nonsense', piece });
      await page.until(() => page.ofType('error').length === sent);
    }
    expect(page.closed).toBeUndefined();
  });

  it('may be long only where prompts are sent', async () => {
    const { door, id } = await start();
    const headers = { 'x-api-key': key, 'x-notes-person': 'sebastian' };
    for (const [path, length] of [
      ['/api/live', 65 * kilobyte],
      [`/api/claude/sessions/${id}/terminal`, 1_025 * kilobyte],
    ] as const) {
      const socket = new WebSocket(door.url.replace('http', 'ws') + path, { headers });
      const code = await new Promise((resolve) => {
        socket.once('open', () => socket.send('x'.repeat(length)));
        socket.once('close', resolve);
      });
      expect([path, code]).toEqual([path, 1009]);
    }
  });
});

describe('bodies of requests', () => {
  it('are limited for each person and for all, until they are answered [notes.door.memory]', async () => {
    const limits = { waitingBytes: { each: 100_000, all: 150_000 }, messageLength: 100_000 };
    const door = await startDoor({ limits });
    onTestFinished(() => door.stop());
    const held = gate();
    door.engine.scripts.set('x'.repeat(80_000), async function* () {
      await held.opened;
      yield { type: 'text.delta', text: 'done' };
    });
    const ask = (length: number, person = 'sebastian') =>
      door.post('/api/claude/chat', { message: 'x'.repeat(length) }, { 'x-notes-person': person });

    const first = ask(80_000);
    await expect.poll(() => door.engine.prompts).toHaveLength(1);
    const second = await ask(30_000);
    expect(second.status).toBe(429);
    expect(second.headers.get('retry-after')).toBe('5');
    expect(await second.json()).toMatchObject({
      message: 'Too much is waiting to be processed. Send less at once, or try again in a moment.',
    });
    expect((await ask(1_000)).status).toBe(200);
    expect((await ask(60_000, 'petra')).status).toBe(200);
    expect((await ask(75_000, 'petra')).status).toBe(429);

    held.open();
    expect((await first).status).toBe(200);
    await (await first).text();
    expect((await ask(30_000)).status).toBe(200);
  });

  it('of unknown length are counted while they arrive [notes.door.memory]', async () => {
    const door = await startDoor({ limits: { waitingBytes: { each: 50_000, all: 50_000 } } });
    onTestFinished(() => door.stop());
    const send = (length: number) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { 'x-api-key': key, 'x-notes-person': 'petra', 'content-type': 'application/json' };
        const sent = request(`${door.url}/api/claude/chat`, { method: 'POST', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject);
        sent.write('{"message": "Hello"');
        sent.end(`${' '.repeat(length)}}`);
      });
    expect(await send(60_000)).toBe(429);
    for (let sent = 0; sent < 3; sent += 1) expect(await send(40_000)).toBe(200);
  });
});
