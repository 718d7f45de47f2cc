// Bots that people set up in the app while the server runs: a real server process with the stand-ins of both services.
import type { BotTrialResult, ChannelOverview } from '@parley/protocol';
import { createGate, lastUserText, reply, type TelegramStandIn } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import * as discords from '../doors/bots/discord/harness.ts';
import { answers, freshTelegram, petra, stranger } from '../doors/bots/telegram/harness.ts';
import { eventually, type Server, type SettingsHouse, settingsHouse } from './settings-house.ts';

const timeout = 240_000;
const patience = 90_000;

/** Bots that an assistant answers. */
async function botHouse(
  telegram: TelegramStandIn,
  discordUrl = 'http://127.0.0.1:9',
): Promise<SettingsHouse> {
  return settingsHouse({
    channels: {
      engine: 'messages-api',
      person: 'anna',
      telegram: { apiRoot: telegram.url },
      discord: { apiRoot: discordUrl },
    },
  });
}

function echo({ anthropic }: SettingsHouse): void {
  anthropic.script(() => true).always(({ body }) => reply(`Answer to ${lastUserText(body)}`));
}

function write(telegram: TelegramStandIn, text: string, from = petra): void {
  telegram.inject({ from, fields: { text } });
}

async function textsIn(telegram: TelegramStandIn, count: number, chatId = petra.id): Promise<string[]> {
  return (await answers(telegram, count, chatId, patience)).map(({ text }) => text);
}

async function stateOf(server: Server, name: string): Promise<string | undefined> {
  const { channels } = (await (await server.request('GET', '/api/channels')).json()) as ChannelOverview;
  return channels.find((channel) => channel.name === name)?.state;
}

function reaches(server: Server, name: string, state: string | undefined) {
  return eventually(
    () => stateOf(server, name),
    (found) => found === state,
  );
}

describe('bots in the app', { timeout }, () => {
  it('start with a token, answer the people on their list, and stop [team.settings.bots]', async () => {
    const telegram = await freshTelegram();
    const house = await botHouse(telegram);
    echo(house);
    const server = await house.start();
    expect(await stateOf(server, 'telegram')).toBeUndefined();

    await server.set({ 'channels.telegram.token': telegram.token });
    await reaches(server, 'telegram', 'running');
    write(telegram, 'nobody hears this');
    await eventually(
      () => telegram.pendingUpdates,
      (count) => count === 0,
    );
    await server.set({ 'channels.telegram.allowFrom': [`${petra.id}`] });
    await reaches(server, 'telegram', 'running');
    write(telegram, 'one');
    write(telegram, 'two', stranger);
    expect(await textsIn(telegram, 1)).toEqual(['Answer to one']);

    await server.set({ 'channels.telegram.enabled': false });
    expect(await stateOf(server, 'telegram')).toBe('off');
    write(telegram, 'three');
    await server.set({ 'channels.telegram.enabled': null });
    expect(await textsIn(telegram, 2)).toEqual(['Answer to one', 'Answer to three']);
    await server.set({ 'channels.telegram.token': null, 'channels.telegram.allowFrom': null });
    expect(await stateOf(server, 'telegram')).toBeUndefined();
    const { stdout } = await server.program.stop();
    expect(telegram.visible(stranger.id)).toEqual([]);
    expect(stdout).not.toContain(telegram.token);
  });

  it('restart one by one, and lose or repeat nothing [team.settings.bots-restart]', async () => {
    const [first, second, discord] = [
      await freshTelegram(),
      await freshTelegram(),
      await discords.freshDiscord(),
    ];
    const house = await botHouse(first, discord.url);
    const gate = createGate();
    house.anthropic
      .script(() => true)
      .always(async ({ body }) => {
        const text = lastUserText(body);
        if (text === 'slow') await gate.opened;
        return reply(`Answer to ${text}`);
      });
    const server = await house.start();
    const garden = {
      service: 'telegram',
      token: second.token,
      apiRoot: second.url,
      allowFrom: [`${petra.id}`],
    };
    await server.set({
      'channels.telegram.token': first.token,
      'channels.telegram.allowFrom': [`${petra.id}`],
      'channels.discord.token': discord.token,
      'channels.discord.allowFrom': [discords.petra.id],
      'channels.more.garden': garden,
    });
    for (const name of ['telegram', 'garden', 'discord']) await reaches(server, name, 'running');
    const sinceOf = async (name: string) => {
      const { channels } = (await (await server.request('GET', '/api/channels')).json()) as ChannelOverview;
      return channels.find((channel) => channel.name === name)?.since;
    };
    const before = [await sinceOf('telegram'), await sinceOf('discord')];

    // A turn runs and a message waits while the bot restarts several times.
    write(second, 'slow');
    await eventually(
      () => house.anthropic.requests.length,
      (count) => count > 0,
    );
    write(second, 'after');
    await server.set({ 'channels.more.garden': { ...garden, token: { isSet: true }, allowFrom: ['*'] } });
    write(second, 'between');
    await server.set({ 'channels.more.garden': { ...garden, token: { isSet: true } } });
    write(first, 'unharmed');
    discord.inject({ author: discords.petra, content: 'unharmed' });
    expect(await textsIn(first, 1)).toEqual(['Answer to unharmed']);
    expect((await discords.answers(discord, 1, discord.general.id, patience))[0]?.content).toBe(
      'Answer to unharmed',
    );
    gate.open();
    const expected = ['Answer to slow', 'Answer to after', 'Answer to between'];
    expect(await textsIn(second, 3)).toEqual(expected);
    expect([await sinceOf('telegram'), await sinceOf('discord')]).toEqual(before);
    await server.program.stop();
    expect(await textsIn(second, 3)).toEqual(expected);
    expect(await textsIn(first, 1)).toEqual(['Answer to unharmed']);
  });

  it('can be tried before their token is saved [team.settings.bots-test]', async () => {
    const [telegram, discord] = [await freshTelegram(), await discords.freshDiscord()];
    const house = await botHouse(telegram, discord.url);
    const server = await house.start();
    const trial = async (name: string, value: object) => {
      const response = await server.request('POST', '/api/settings/bots/test', { name, value });
      expect(response.status).toBe(200);
      return (await response.json()) as BotTrialResult;
    };
    expect(await trial('telegram', { token: telegram.token })).toMatchObject({
      ok: true,
      botName: expect.stringMatching(/\w/),
      problem: null,
    });
    expect(await trial('discord', { token: discord.token })).toMatchObject({ ok: true });
    expect(await trial('garden', { service: 'telegram', token: telegram.token })).toMatchObject({ ok: true });
    expect(await trial('telegram', { token: '1:planted-wrong-token' })).toEqual({
      ok: false,
      botName: null,
      problem: 'Telegram does not accept its token',
    });
    await server.set({ 'channels.telegram.token': telegram.token });
    expect(await trial('telegram', { token: { isSet: true } })).toMatchObject({ ok: true });
    const wrong = await server.request('POST', '/api/settings/bots/test', {
      name: 'discord',
      value: { token: { isSet: true } },
    });
    expect(wrong.status).toBe(400);
    const { stdout, stderr } = await server.program.stop();
    expect(stdout + stderr).not.toContain('planted');
  });
});
