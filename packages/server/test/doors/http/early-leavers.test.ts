// Clients that disconnect while the server still looks something up for their request.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FilePlace } from '../../../src/domain/files.ts';
import type { Organizer } from '../../../src/domain/session-marks.ts';
import type { ClaudeCodeParts } from '../../../src/doors/http/door-options.ts';
import { createPlaceFiles } from '../../../src/folders/place-files.ts';
import { type DoorHarness, gate, type HarnessOptions, startDoor, until } from './door-harness.ts';

/** A lookup that the test ends. */
function slow<Result>(result: Result) {
  const arrival = gate();
  const end = gate();
  const lookup = async (): Promise<Result> => {
    arrival.open();
    await end.opened;
    return result;
  };
  return { lookup, arrived: arrival.opened, end: () => end.open() };
}

async function start(options: HarnessOptions) {
  const sockets = new Set<Socket>();
  const add = (message: unknown) => void sockets.add((message as { socket: Socket }).socket);
  subscribe('net.server.socket', add);
  onTestFinished(() => void unsubscribe('net.server.socket', add));
  const door = await startDoor(options);
  onTestFinished(() => door.stop());
  /** Disconnects as soon as the lookup has begun, and resolves when the server has noticed. */
  const leave = async (arrived: Promise<void>, request: (signal: AbortSignal) => Promise<Response>) => {
    const leaving = new AbortController();
    const gone = request(leaving.signal);
    await arrived;
    leaving.abort();
    await expect(gone).rejects.toThrow('aborted');
    await until(() => [...sockets].every((socket) => socket.destroyed));
  };
  return { door, leave };
}

async function openRequests(door: DoorHarness): Promise<number> {
  const text = await (await door.fetch('/metrics')).text();
  return Number(/^parley_open_streams\{wire="json"\} (\d+)$/m.exec(text)?.[1]);
}

describe('a client that leaves during a lookup', () => {
  it('holds no slot afterwards, and nothing goes on working for it', async () => {
    const marks = slow(new Map());
    const signals: (AbortSignal | undefined)[] = [];
    const list: ClaudeCodeParts['sessions']['list'] = async (_actor, { signal }) => {
      signals.push(signal);
      return { sessions: [] };
    };
    const { door, leave } = await start({
      organizer: { marks: marks.lookup } as unknown as Organizer,
      claudeCode: { sessions: { list } } as unknown as ClaudeCodeParts,
    });
    await leave(marks.arrived, (signal) => door.fetch('/api/claude/sessions?pinned=true', { signal }));
    marks.end();
    await until(() => signals.length === 1);
    expect(signals[0]?.aborted).toBe(true);
    expect(await openRequests(door)).toBe(0);
  });

  it('leaves no body in memory', async () => {
    const credentials = slow({ label: 'all' });
    const { door, leave } = await start({
      credentials: credentials.lookup,
      limits: { waitingBytes: { each: 1_000, all: 1_000 } },
    });
    const body = JSON.stringify({ message: 'x'.repeat(600) });
    const headers = { 'content-type': 'application/json' };
    await leave(credentials.arrived, (signal) =>
      door.fetch('/api/claude/chat', { method: 'POST', headers, body, signal }),
    );
    credentials.end();
    const again = await door.fetch('/api/claude/chat', { method: 'POST', headers, body });
    expect(again.status).toBe(200);
  });

  it('does not end the server in the middle of an upload', async () => {
    const place = slow<FilePlace>({ root: tmpdir(), hidden: [], kind: 'notes' });
    const { door, leave } = await start({
      files: {
        files: createPlaceFiles(),
        places: { ofNotes: place.lookup, ofSession: () => Promise.reject(new Error('not asked for')) },
      },
    });
    const body = new ReadableStream({ start: (upload) => upload.enqueue(Buffer.alloc(1_000)) });
    await leave(place.arrived, (signal) =>
      door.fetch('/api/notes/files/raw?path=never.bin', {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream' },
        body,
        duplex: 'half',
        signal,
      }),
    );
    place.end();
    expect((await door.fetch('/healthz')).status).toBe(200);
    expect(existsSync(join(tmpdir(), 'never.bin'))).toBe(false);
  });
});
