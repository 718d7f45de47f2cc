// kill -9 of the server, again and again, at any moment: no message is lost and none is answered twice. By default a
// short version runs; PARLEY_LONG=1 runs 1,000 messages with 20 kills.
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DiscordStandIn } from '@parley/stand-ins';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleFile } from '../../../../../../scripts/bundle.mjs';
import { freshFolder, killableServer, killing } from '../harness.ts';
import type { BotServerSetup } from './children/bot-server.ts';
import { freshDiscord, petra } from './harness.ts';

const { messages, kills, chats, timeoutMs } = killing;

let script = '';

beforeAll(async () => {
  script = await bundleFile(fileURLToPath(new URL('./children/bot-server.ts', import.meta.url)));
});

async function killableBot() {
  const discord = await freshDiscord();
  const setup: BotServerSetup = {
    folder: freshFolder(),
    discord: { url: discord.url, token: discord.token },
  };
  return { discord, ...killableServer(() => script, setup) };
}

function answersIn(discord: DiscordStandIn, channelId = discord.general.id) {
  return discord.visible(channelId).filter(({ content }) => /^Answer to|The server stopped/.test(content));
}

const soon = () => AbortSignal.timeout(60_000);

describe('a Discord bot that is killed', () => {
  it('right after its answer arrived does not send it again', async () => {
    const bot = await killableBot();
    const { discord } = bot;
    bot.start();
    await discord.until(() => discord.gateway.connected > 0, soon());
    let gone: Promise<void> | undefined;
    discord.inject({ author: petra, content: 'one' });
    // The condition is checked after the message is in the channel and before the bot learns about it.
    await discord.until(() => {
      if (answersIn(discord).length === 1) gone ??= bot.kill();
      return gone !== undefined;
    }, soon());
    await gone;
    discord.inject({ author: petra, content: 'two' });
    bot.start();
    await discord.until(() => answersIn(discord).length >= 2, soon());
    await bot.stop();
    expect(answersIn(discord).map(({ content }) => content)).toEqual(['Answer to one.', 'Answer to two.']);
  }, 150_000);

  it(
    `${kills} times loses none of ${messages} messages and answers none twice`,
    async () => {
      const bot = await killableBot();
      const { discord } = bot;
      const channels = Array.from(
        { length: chats },
        (_, index) => ({ id: String(40_000 + index), type: 1 }) as const,
      );
      const sent: { readonly content: string; readonly id: string; readonly channelId: string }[] = [];
      const answered = () => channels.reduce((sum, { id }) => sum + answersIn(discord, id).length, 0);
      const say = (number: number) => {
        const channel = channels[number % chats] ?? discord.general;
        sent.push(discord.inject({ author: petra, channel, content: `m${number}` }));
      };
      bot.start();
      await discord.until(() => discord.gateway.connected > 0, soon());
      // A chat is known from its first message on; messages missed before that are not fetched.
      for (let number = 0; number < chats; number += 1) say(number);
      await discord.until(() => answered() >= chats, soon());

      const injecting = (async () => {
        for (let number = chats; number < messages; number += 1) {
          await discord.until(() => answered() > number - chats * 3, AbortSignal.timeout(120_000));
          say(number);
        }
      })();
      for (let kill = 1; kill <= kills; kill += 1) {
        const count = Math.floor((messages * kill) / (kills + 1));
        await discord.until(() => answered() >= count, AbortSignal.timeout(120_000));
        await pause(Math.random() * 60);
        await bot.kill();
        bot.start();
      }
      await injecting;
      await discord.until(() => answered() >= messages, AbortSignal.timeout(120_000));
      await bot.stop();

      for (const { content, id, channelId } of sent) {
        const answers = answersIn(discord, channelId).filter(({ replyTo, content: text }) =>
          text.includes('The server stopped') ? replyTo === id : text === `Answer to ${content}.`,
        );
        expect(answers, `answers to ${content}`).toHaveLength(1);
      }
      expect(answered()).toBe(messages);
    },
    timeoutMs,
  );
});
