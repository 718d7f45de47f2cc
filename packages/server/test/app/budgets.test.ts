// Budgets in the whole server, at every door.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@parley/client';
import type { BudgetOverview, BudgetRule, SessionEvent, UsageOverview } from '@parley/protocol';
import {
  type AnthropicStandIn,
  noFallback,
  reply,
  startAnthropicStandIn,
  startDiscordStandIn,
  startTelegramStandIn,
} from '@parley/stand-ins';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { RunningApp } from '../../src/app.ts';
import { startServer } from '../support/whole-server.ts';

const key = 'a-key-for-this-test';
const patience = { timeout: 60_000, interval: 50 };
const usedUp = /^The daily budget for petra is used up: .+ tokens\. It resets on .+ An owner can raise it/;
const almost = /^The daily budget for petra is \d+ % used/;
const aDay = (limit: number): BudgetRule => ({
  scope: 'person',
  subject: 'petra',
  period: 'day',
  unit: 'tokens',
  limit,
});

let folder: string;
let model: AnthropicStandIn;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-budgets-'));
  model = await startAnthropicStandIn({ fallback: noFallback });
});
afterEach(async () => {
  await model.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function start(settings: object = {}, environment: Record<string, string> = {}): Promise<RunningApp> {
  const all = { people: ['petra', 'sebastian'], claude: { warmProcesses: 0 }, ...settings };
  const app = await startServer(folder, {
    settings: all,
    environment: {
      PARLEY_API_KEY: key,
      ANTHROPIC_API_KEY: 'sk-test',
      ANTHROPIC_BASE_URL: model.url,
      ...environment,
    },
  });
  onTestFinished(() => app.close());
  return app;
}

function call(
  app: RunningApp,
  method: string,
  path: string,
  body?: unknown,
  person = 'petra',
): Promise<Response> {
  return fetch(app.url + path, {
    method,
    headers: {
      'x-api-key': key,
      'x-notes-person': person,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const overview = async (app: RunningApp) =>
  (await (await call(app, 'GET', '/api/budgets')).json()) as BudgetOverview;

describe('a budget', () => {
  it('is read, set and removed over HTTP [team.budgets.list]', async () => {
    const app = await start({ budgets: [{ ...aDay(5), subject: 'sebastian' }] });
    const put = await call(app, 'PUT', '/api/budgets', aDay(1_000));
    expect([put.status, await put.json()]).toMatchObject([
      200,
      { id: 'person:day:tokens:petra', origin: 'app', spent: 0, reserved: 0, percent: 0 },
    ]);
    expect(await overview(app)).toMatchObject({
      budgets: [{ subject: 'petra' }, { subject: 'sebastian', origin: 'file' }],
      mayChange: true,
    });
    const wrong = await call(app, 'PUT', '/api/budgets', { ...aDay(1), subject: 'Nobody Here' });
    expect(wrong.status).toBe(400);
    const fixed = await call(app, 'DELETE', '/api/budgets/person:day:tokens:sebastian');
    expect(fixed.status).toBe(409);
    const remove = () => call(app, 'DELETE', '/api/budgets/person:day:tokens:petra');
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
  });

  it('remembers what was spent after a restart, even if sessions are in memory only', async () => {
    const settings = { budgets: [aDay(1)], sessions: { persist: false } };
    const first = await start(settings);
    model.enqueue(reply('First.'));
    await call(first, 'POST', '/api/claude/chat', { message: 'Hello' });
    const before = (await (await call(first, 'GET', '/api/usage')).json()) as UsageOverview;
    expect(before.sessions).toMatchObject([{ title: 'Hello' }]);
    await first.close();
    const second = await start(settings);
    const after = (await (await call(second, 'GET', '/api/usage')).json()) as UsageOverview;
    expect(after).toMatchObject({ days: before.days, sessions: [{ title: '' }] });
    const refused = await call(second, 'POST', '/api/claude/chat', { message: 'Again' });
    expect(refused.status).toBe(402);
  });

  it('warns and stops programs: JSON, NDJSON and server-sent events [team.budgets.doors] [team.budgets.warning]', async () => {
    const app = await start({ budgets: [aDay(1)] });
    const ask = (path: string, message = 'Hello') => call(app, 'POST', path, { message });
    model.enqueue(reply('First.'));
    expect(await (await ask('/api/claude/chat')).json()).toMatchObject({
      response: 'First.',
      notices: [{ code: 'budget', message: expect.stringMatching(almost) }],
    });
    const refused = await ask('/api/claude/chat');
    expect([refused.status, await refused.json()]).toMatchObject([
      402,
      { success: false, message: expect.stringMatching(usedUp), detail: expect.stringMatching(usedUp) },
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const lines = (await (await ask('/api/claude/chat-stream')).text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual({
      type: 'error',
      message: expect.stringMatching(usedUp),
    });
    const events = await (await ask('/api/chat')).text();
    expect(events).toMatch(/event: error\ndata: \{"message":"The daily budget for petra is used up/);
    expect(model.requests).toHaveLength(1);
    // Others are not affected.
    model.enqueue(reply('For Sebastian.'));
    const other = await call(app, 'POST', '/api/claude/chat', { message: 'Hello' }, 'sebastian');
    expect(await other.json()).toMatchObject({ response: 'For Sebastian.' });
  });

  it('shows in the events of a page, and a raised one applies at once [team.budgets.doors] [team.budgets.raise]', async () => {
    const app = await start();
    const client = createClient({ baseUrl: app.url, apiKey: key, person: () => 'petra', WebSocket });
    onTestFinished(() => client.close());
    const { id } = await client.sessions.create({ assistant: 'notes' });
    const events: SessionEvent[] = [];
    const reading = new AbortController();
    void (async () => {
      for await (const { event } of client.subscribe(id, { after: 0, signal: reading.signal }))
        events.push(event);
    })().catch(() => undefined);
    onTestFinished(() => reading.abort());
    const ended = () => events.filter((event) => event.type === 'turn.ended');
    const say = async (text: string) => {
      const before = ended().length;
      await client.sessions.prompt(id, { text, images: [] }, { key: crypto.randomUUID() });
      await vi.waitUntil(() => ended().length > before, patience);
      return ended().at(-1);
    };
    await call(app, 'PUT', '/api/budgets', aDay(1));
    model.enqueue(reply('First.'), reply('Second.'));
    await say('One');
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'notice', code: 'budget', message: expect.stringMatching(almost) }),
    );
    expect(await say('Two')).toMatchObject({
      outcome: 'failed',
      error: { code: 'over_budget', message: expect.stringMatching(usedUp) },
    });
    await call(app, 'PUT', '/api/budgets', aDay(1_000_000));
    expect(await say('Three')).toMatchObject({ outcome: 'completed', text: 'Second.' });
  });

  it('warns and stops chats in Telegram and Discord [team.budgets.doors] [team.budgets.warning] [team.budgets.scopes]', async () => {
    const telegram = await startTelegramStandIn();
    const discord = await startDiscordStandIn();
    onTestFinished(() => Promise.all([telegram.close(), discord.close()]).then(() => undefined));
    const perChat: BudgetRule = { scope: 'chat', period: 'month', unit: 'tokens', limit: 1 };
    await start(
      { budgets: [perChat], channels: { engine: 'messages-api' } },
      {
        TELEGRAM_BOT_TOKEN: telegram.token,
        TELEGRAM_API_ROOT: telegram.url,
        TELEGRAM_ALLOW_FROM: '1001',
        DISCORD_BOT_TOKEN: discord.token,
        DISCORD_API_ROOT: discord.url,
        DISCORD_ALLOW_FROM: '1001',
      },
    );
    const answered = /^First\.\n\nThe monthly budget for this chat is \d+ % used/;
    const refused = /The monthly budget for this chat is used up: .+ An owner can raise it/;
    model.enqueue(reply('First.'));
    const inTelegram = () => telegram.visible(1001).map(({ text }) => text);
    telegram.inject({ from: { id: 1001, is_bot: false, first_name: 'Petra' }, fields: { text: 'Hello' } });
    await vi.waitUntil(() => inTelegram().some((text) => answered.test(text)), patience);
    telegram.inject({ from: { id: 1001, is_bot: false, first_name: 'Petra' }, fields: { text: 'Again' } });
    await vi.waitUntil(() => inTelegram().some((text) => refused.test(text)), patience);

    await vi.waitUntil(() => discord.gateway.connected === 1, patience);
    const inDiscord = () => discord.visible('9100').map(({ content }) => content);
    const write = (content: string) =>
      discord.inject({
        author: { id: '1001', username: 'Petra' },
        channel: { id: '9100', type: 1 },
        content,
      });
    model.enqueue(reply('First.'));
    write('Hello');
    await vi.waitUntil(() => inDiscord().some((text) => answered.test(text)), patience);
    write('Again');
    await vi.waitUntil(() => inDiscord().some((text) => refused.test(text)), patience);
    expect(model.requests).toHaveLength(2);
  });
});
