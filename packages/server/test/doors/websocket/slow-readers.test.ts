// Readers that stop reading: the server buffers little for them, and nobody else notices.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../http/door-harness.ts';
import { startCodeDoor } from './harness.ts';

describe('a hundred stalled readers', () => {
  it('are cut off, and leave the rest unharmed', async () => {
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
  }, 120_000);

  it('come back and are told to begin anew', async () => {
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
  }, 60_000);
});

/** The most bytes that any one socket of a server in this process held back, over all measurements. */
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
