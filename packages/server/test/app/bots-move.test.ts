// A bot of two servers: real processes on one PostgreSQL, one of which is killed in the middle of an answer.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChannelOverview } from '@parley/protocol';
import {
  createGate,
  freePort,
  lastUserText,
  noFallback,
  reply,
  say,
  startAnthropicStandIn,
  type TelegramStandIn,
  wait,
} from '@parley/stand-ins';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { freshPlace, parley } from '../cli/parley-process.ts';
import { freshTelegram, petra } from '../doors/bots/telegram/harness.ts';
import { usePostgres } from '../stores/postgres-database.ts';
import { headers, key, secretOfAll } from '../support/several-apps.ts';

const postgres = usePostgres();
const patience = { timeout: 90_000, interval: 100 };

/** Texts of the model and of the bot itself, without its signs of progress. */
function said(telegram: TelegramStandIn): string[] {
  return telegram
    .visible(petra.id)
    .map(({ text }) => text)
    .filter((text) => /^Answer to|The server stopped/.test(text));
}

describe('a bot on two servers', () => {
  it('moves when its server is killed or stops, and answers every message once [cluster.bots.move] [cluster.bots.status]', async () => {
    const telegram = await freshTelegram();
    const anthropic = await startAnthropicStandIn({ fallback: noFallback });
    onTestFinished(() => anthropic.close());
    const gates = new Map(['slow', 'last words'].map((text) => [text, createGate()]));
    const asked: string[] = [];
    anthropic
      .script(() => true)
      .always(({ body }) => {
        const text = lastUserText(body);
        const [word = ''] = [...gates.keys()].filter((one) => text.includes(one));
        asked.push(text);
        const gate = gates.get(word);
        const answer = say(`Answer to ${text}`);
        return gate ? reply(wait(gate.opened), answer) : reply(answer);
      });
    const database = await postgres().createDatabase();

    async function start() {
      const place = freshPlace(parley);
      const channels = {
        engine: 'messages-api',
        telegram: { token: telegram.token, apiRoot: telegram.url, allowFrom: [`${petra.id}`] },
      };
      const settings = { people: ['anna'], caution: 'off', vaultRoot: '~/notes', channels };
      writeFileSync(join(place.user, 'parley.config.json'), JSON.stringify(settings));
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const program = place.start(['serve', '--port', String(port)], {
        ANTHROPIC_API_KEY: 'stand-in-key',
        ANTHROPIC_BASE_URL: anthropic.url,
        PARLEY_API_KEY: key,
        PARLEY_DATABASE_URL: database,
        PARLEY_SERVER_URL: url,
        PARLEY_CLUSTER_SECRET: secretOfAll,
      });
      await program.says(/Parley is ready at/);
      const hasBot = async () => {
        const response = await fetch(`${url}/api/channels`, {
          headers: { ...headers, 'x-notes-person': 'anna' },
        });
        const { channels: bots } = (await response.json()) as ChannelOverview;
        return bots.some(({ state }) => state === 'running');
      };
      return { program, hasBot };
    }

    const write = (text: string) => telegram.inject({ from: petra, fields: { text } });
    const reads = (texts: readonly string[]) =>
      vi.waitFor(() => expect(said(telegram)).toEqual(texts), patience);
    const isAsked = (text: string) =>
      vi.waitFor(() => expect(asked.some((one) => one.includes(text))).toBe(true), patience);

    const first = await start();
    await vi.waitFor(async () => expect(await first.hasBot()).toBe(true), patience);
    // Every server says so, wherever the bot runs.
    const second = await start();
    await vi.waitFor(async () => expect(await second.hasBot()).toBe(true), patience);
    write('one');
    await reads(['Answer to one']);

    write('slow');
    await isAsked('slow');
    await first.program.stop('SIGKILL');
    write('two');
    const cut = expect.stringContaining('The server stopped') as string;
    await reads(['Answer to one', cut, 'Answer to two']);
    gates.get('slow')?.open();
    await vi.waitFor(async () => expect(await second.hasBot()).toBe(true), patience);

    // A server that is asked to stop lets the answer finish, and another server delivers it.
    const third = await start();
    write('last words');
    await isAsked('last words');
    const stopped = second.program.stop('SIGTERM');
    write('three');
    gates.get('last words')?.open();
    await reads(['Answer to one', cut, 'Answer to two', 'Answer to last words', 'Answer to three']);
    await stopped;
    await vi.waitFor(async () => expect(await third.hasBot()).toBe(true), patience);
    expect(telegram.pendingUpdates).toBe(0);
    // Each reached the model once.
    expect(asked.filter((text) => text.includes('slow'))).toHaveLength(1);
    expect(said(telegram)).toHaveLength(5);
  }, 240_000);
});
