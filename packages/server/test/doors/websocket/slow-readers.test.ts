// Readers that stop reading: the server buffers little for them, and nobody else notices.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { key, until } from '../http/door-harness.ts';
import { startCodeDoor } from './harness.ts';
import { LiveClient } from './live-client.ts';

describe('a hundred stalled readers', () => {
  it('are cut off without affecting other readers', async () => {
    const buffered = watchServerSockets();
    const door = await startCodeDoor({
      log: { events: 2_000, bytes: 2_000_000 },
      writer: { bufferedBytes: 64 * 1024, stalledMs: 2_000, pingMs: 60_000 },
    });
    const [id, other] = [await door.newSession(), await door.newSession()];
    const stalled = await Promise.all(Array.from({ length: 100 }, () => door.open(id)));
    for (const page of stalled) page.socket.pause();
    const [reader, elsewhere] = [await door.open(id), await door.open(other)];
    reader.socket.on('message', buffered.measure);
    reader.prompt('burst 20000');
    elsewhere.prompt('say 20');
    await elsewhere.turnsEnded();
    await reader.turnsEnded();
    expect(reader.frames).toEqual(door.engine.sent.get(id));
    // The burst is 10 MB for each reader.
    expect(buffered.most).toBeGreaterThan(0);
    expect(buffered.most).toBeLessThan(128 * 1024);
    const open = async () =>
      /wire="websocket"\} (\d+)/.exec(await (await door.fetch('/metrics')).text())?.[1];
    await until(async () => (await open()) === '2');
    await door.stop();
  });

  it('start over when they come back', async () => {
    const door = await startCodeDoor({
      log: { events: 100, bytes: 100_000 },
      writer: { bufferedBytes: 16 * 1024, stalledMs: 500, pingMs: 60_000 },
    });
    const id = await door.newSession();
    const [reader, slow] = [await door.open(id), await door.open(id)];
    slow.socket.pause();
    reader.prompt('burst 20000');
    await reader.turnsEnded();
    slow.socket.resume();
    expect([1006, 1013]).toContain((await slow.untilClosed()).code);
    const again = await door.open(id, { after: slow.after });
    expect(again.greeting['reset']).toBe(true);
    await door.stop();
  });
});

describe('a live connection that stops reading', () => {
  it('is cut off with little buffered, and resumes after the last number that it got [code.live.resume]', async () => {
    const buffered = watchServerSockets();
    const door = await startCodeDoor({
      log: { events: 50_000, bytes: 200_000_000 },
      writer: { bufferedBytes: 64 * 1024, stalledMs: 2_000, pingMs: 60_000 },
    });
    const id = await door.newSession();
    const connect = async (after?: number) => {
      const client = new LiveClient(`${door.url}/api/live`, {
        'x-api-key': key,
        'x-notes-person': 'sebastian',
      });
      onTestFinished(() => client.drop());
      await client.opened();
      client.send({ type: 'subscribe', session: id, ...(after !== undefined && { after }) });
      await client.subscribed(id);
      return client;
    };
    const [reader, slow] = [await connect(), await connect()];
    slow.pause();
    const page = await door.open(id);
    page.socket.on('message', buffered.measure);
    page.prompt('burst 20000');
    await reader.turnEnded(id);
    const open = async () =>
      /wire="websocket"\} (\d+)/.exec(await (await door.fetch('/metrics')).text())?.[1];
    await until(async () => (await open()) === '2');
    expect(buffered.most).toBeGreaterThan(0);
    expect(buffered.most).toBeLessThan(128 * 1024);

    slow.resume();
    expect((await slow.closed()).code).toBe(1006);
    const all = reader.eventsOf(id);
    const seen = slow.eventsOf(id);
    expect(seen.length).toBeLessThan(all.length);
    const again = await connect(seen.at(-1)?.seq ?? (all[0]?.seq ?? 0) - 1);
    await again.turnEnded(id);
    const both = [...seen, ...again.eventsOf(id)];
    expect(both.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq));
    await door.stop();
  });
});

/** Measures the most bytes that any server socket in this process has buffered. */
function watchServerSockets() {
  const sockets = new Set<Socket>();
  const add = (message: unknown) => void sockets.add((message as { socket: Socket }).socket);
  subscribe('net.server.socket', add);
  onTestFinished(() => void unsubscribe('net.server.socket', add));
  const watch = {
    most: 0,
    measure: () => {
      for (const { writableLength } of sockets) watch.most = Math.max(watch.most, writableLength);
    },
  };
  return watch;
}
