// What a failed start of the whole server must not touch.
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChannelOverview, HistoryResponse } from '@parley/protocol';
import { startTelegramStandIn } from '@parley/stand-ins';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RunningApp } from '../../src/app.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { aSession, aTurn } from '../stores/fixtures.ts';
import { startServer } from '../support/whole-server.ts';

const key = 'a-key-for-this-test';
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-start-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a start', () => {
  it('that finds its port taken leaves the waiting prompts to the next start', async () => {
    const turn = await waitingPrompt();
    await expect(start(await takenPort())).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(await statusOf(turn.id)).toBe('queued');

    const app = await start(0);
    try {
      await vi.waitFor(async () => expect(await history(app, turn.sessionId)).toHaveLength(2), {
        timeout: 60_000,
      });
    } finally {
      await app.close();
    }
  });

  it("that finds its data in use doesn't touch it", async () => {
    const app = await start(0);
    try {
      const turn = await waitingPrompt();
      await expect(start(0)).rejects.toMatchObject({ code: 'conflict' });
      expect(await statusOf(turn.id)).toBe('queued');
    } finally {
      await app.close();
    }
    await (await start(0)).close();
  });

  it('goes well without a bot whose workspace cannot be used', async () => {
    await writeFile(join(folder, 'file'), '');
    const telegram = await startTelegramStandIn();
    onTestFinished(() => telegram.close());
    const bot = { service: 'telegram', apiRoot: telegram.url, allowFrom: ['1'] };
    const more = [
      { ...bot, name: 'broken', token: '1:x', workspace: join(folder, 'file', 'below') },
      { ...bot, name: 'fine', token: telegram.token, workspace: join(folder, 'work') },
    ];
    const app = await startServer(folder, {
      environment: { PARLEY_DEMO: '1', PARLEY_API_KEY: key },
      settings: { channels: { more } },
    });
    try {
      const states = async () => {
        const response = await fetch(`${app.url}/api/channels`, {
          headers: { 'x-api-key': key, 'x-notes-person': 'sebastian' },
        });
        const { channels } = (await response.json()) as ChannelOverview;
        return channels.map(({ name, state, lastError }) => ({ name, state, lastError }));
      };
      await vi.waitFor(
        async () =>
          expect(await states()).toEqual([
            {
              name: 'broken',
              state: 'failed',
              lastError: `The bot can't work in ${join(folder, 'file', 'below')}. Check the path and its permissions.`,
            },
            { name: 'fine', state: 'running', lastError: null },
          ]),
        { timeout: 60_000 },
      );
    } finally {
      await app.close();
    }
  });
});

function start(port: number): Promise<RunningApp> {
  const environment = { PARLEY_PORT: String(port), PARLEY_DEMO: '1', PARLEY_API_KEY: key };
  return startServer(folder, { environment });
}

async function waitingPrompt() {
  await mkdir(join(folder, 'demo'), { recursive: true });
  return withStore(async (store) => {
    const session = aSession({ person: 'sebastian', engine: 'messages-api', assistant: 'notes' });
    const turn = aTurn(session, { prompt: [{ type: 'text', text: 'Hello' }], status: 'queued' });
    await store.admit(turn, session, { newSession: true });
    return turn;
  });
}

async function history(app: RunningApp, sessionId: string): Promise<HistoryResponse['history']> {
  const response = await fetch(`${app.url}/api/claude/history?session_id=${sessionId}`, {
    headers: { 'x-api-key': key, 'x-notes-person': 'sebastian' },
  });
  return ((await response.json()) as HistoryResponse).history;
}

function statusOf(id: string) {
  return withStore(async (store) => (await store.getTurn(id))?.status);
}

async function withStore<T>(use: (store: Awaited<ReturnType<typeof openSqliteStore>>) => Promise<T>) {
  const store = await openSqliteStore({ file: join(folder, 'demo', 'parley.db') });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
