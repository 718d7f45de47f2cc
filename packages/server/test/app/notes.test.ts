// The notes assistant in the whole server: what it logs, and what survives a restart.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatResponse, HistoryResponse } from '@parley/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningApp } from '../../src/app.ts';
import { withServer } from '../support/whole-server.ts';

const key = 'a-key-for-this-test';
let folder: string;
let lines: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-app-'));
  lines = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the whole server', () => {
  it('keeps a conversation after a restart [notes.session.survives-restart]', async () => {
    const { session_id: id } = await withApp({}, (app) => chat(app, 'What is on my shopping list?'));
    const after = await withApp({}, (app) => history(app, id));
    expect(after).toMatchObject({ success: true, history: [{ role: 'user' }, { role: 'assistant' }] });
  });

  it('forgets it if sessions are kept in memory only [notes.session.memory-only]', async () => {
    const memory = { sessions: { persist: false } };
    const { session_id: id } = await withApp(memory, async (app) => {
      const answer = await chat(app, 'What is on my shopping list?');
      expect(await history(app, answer.session_id)).toMatchObject({ success: true });
      return answer;
    });
    const after = await withApp(memory, (app) => history(app, id));
    expect(after).toEqual({ success: false, message: 'Session not found', history: [] });
  });

  it('logs one line for each turn, without any of its text [notes.door.turn-log]', async () => {
    const { session_id: session } = await withApp({}, (app) => chat(app, 'What is on my shopping list?'));
    const turns = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'turn');
    expect(turns).toEqual([
      expect.objectContaining({
        person: 'sebastian',
        session,
        door: 'programs',
        engine: 'messages-api',
        outcome: 'completed',
        tokens: expect.any(Number),
        durationMs: expect.any(Number),
      }),
    ]);
    expect(lines.join()).not.toMatch(/shopping|oat milk/i);
    expect(lines.join()).not.toContain(key);
  });
});

function withApp<T>(settings: object, use: (app: RunningApp) => Promise<T>): Promise<T> {
  const environment = { PARLEY_DEMO: '1', PARLEY_API_KEY: key };
  return withServer(folder, { environment, settings, log: (line) => lines.push(line) }, use);
}

async function chat(app: RunningApp, message: string): Promise<ChatResponse> {
  const response = await fetch(`${app.url}/api/claude/chat`, {
    method: 'POST',
    headers: { ...credentials, 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as ChatResponse;
}

async function history(app: RunningApp, id: string): Promise<HistoryResponse> {
  const response = await fetch(`${app.url}/api/claude/history?session_id=${id}`, { headers: credentials });
  return (await response.json()) as HistoryResponse;
}

const credentials = { 'x-api-key': key, 'x-notes-person': 'sebastian' };
