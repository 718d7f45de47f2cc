// kill -9 of the server, again and again, at any moment: no message is lost and none is answered twice. By default a
// short version runs; PARLEY_LONG=1 runs 1,000 messages with 20 kills.
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type AnthropicStandIn, lastUserText, reply, type TelegramStandIn } from '@parley/stand-ins';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleFile } from '../../../../../../scripts/bundle.mjs';
import { killableServer, killing } from '../harness.ts';
import type { BotServerSetup } from './children/bot-server.ts';
import { freshTelegram, petra } from './harness.ts';
import { freshWorkplace } from './program.ts';

const { messages, kills, chats, timeoutMs } = killing;

let script = '';

beforeAll(async () => {
  script = await bundleFile(fileURLToPath(new URL('./children/bot-server.ts', import.meta.url)));
});

interface KillableBot {
  readonly telegram: TelegramStandIn;
  readonly anthropic: AnthropicStandIn;
  start(): void;
  /** Kills at once. Resolves when the process is gone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

async function killableBot(): Promise<KillableBot> {
  const place = await freshWorkplace();
  const telegram = await freshTelegram();
  place.anthropic.script(() => true).always((request) => reply(`Answer to ${lastUserText(request.body)}.`));
  const engine = await place.newEngine();
  const setup: BotServerSetup = {
    folder: place.folder,
    workspace: place.workspace,
    telegram: { url: telegram.url, token: telegram.token },
    anthropicUrl: place.anthropic.url,
    program: await engine.findProgram(),
  };
  await engine.close();
  // So that the files of a killed server are removed with the test's folder.
  const env = { ...process.env, TMPDIR: place.folder };
  return { telegram, anthropic: place.anthropic, ...killableServer(() => script, setup, env) };
}

/** The answers in a chat, without status messages and probes. */
function answersIn(telegram: TelegramStandIn, chatId: number) {
  return telegram.visible(chatId).filter(({ text }) => /^Answer to|The server stopped/.test(text));
}

describe('a bot that is killed', () => {
  it('right after its answer arrived does not send it again [channels.telegram.none-lost]', async () => {
    const bot = await killableBot();
    bot.start();
    let gone: Promise<void> | undefined;
    bot.telegram.inject({ from: petra, fields: { text: 'one' } });
    // The condition is checked after the message is in the chat and before the bot learns about it.
    await bot.telegram.until(() => {
      if (answersIn(bot.telegram, petra.id).length === 1) gone ??= bot.kill();
      return gone !== undefined;
    }, AbortSignal.timeout(60_000));
    await gone;
    bot.start();
    bot.telegram.inject({ from: petra, fields: { text: 'two' } });
    await bot.telegram.until(
      () => answersIn(bot.telegram, petra.id).length >= 2,
      AbortSignal.timeout(60_000),
    );
    await bot.stop();
    expect(answersIn(bot.telegram, petra.id).map(({ text }) => text)).toEqual([
      'Answer to one.',
      'Answer to two.',
    ]);
  }, 150_000);

  it('right before its answer arrives sends it after the next start [channels.telegram.none-lost]', async () => {
    const bot = await killableBot();
    bot.start();
    let gone: Promise<void> | undefined;
    bot.telegram.failNext('sendMessage', { kind: 'cut' });
    bot.telegram.inject({ from: petra, fields: { text: 'one' } });
    await bot.telegram.until(() => {
      if (bot.telegram.calls.some(({ method }) => method === 'sendMessage')) gone ??= bot.kill();
      return gone !== undefined;
    }, AbortSignal.timeout(60_000));
    await gone;
    expect(answersIn(bot.telegram, petra.id)).toEqual([]);
    bot.start();
    await bot.telegram.until(
      () => answersIn(bot.telegram, petra.id).length >= 1,
      AbortSignal.timeout(60_000),
    );
    await bot.stop();
    expect(answersIn(bot.telegram, petra.id).map(({ text }) => text)).toEqual(['Answer to one.']);
  }, 150_000);

  it(
    `${kills} times loses none of ${messages} messages and answers none twice [channels.telegram.none-lost]`,
    async () => {
      const bot = await killableBot();
      const { telegram } = bot;
      const people = Array.from({ length: chats }, (_, index) => ({ ...petra, id: 2_000 + index }));
      const sent = people.map(() => [] as { readonly text: string; readonly messageId: number }[]);
      const answered = () => people.reduce((sum, { id }) => sum + answersIn(telegram, id).length, 0);
      const killAfter = Array.from({ length: kills }, (_, index) =>
        Math.floor((messages * (index + 1)) / (kills + 1)),
      );
      bot.start();

      const injecting = (async () => {
        for (let number = 0; number < messages; number += 1) {
          // Never far ahead of the answers, so that kills hit every stage of a message.
          await telegram.until(() => answered() > number - chats * 3, AbortSignal.timeout(120_000));
          const index = number % chats;
          const text = `m${number}`;
          const from = people[index];
          if (from) sent[index]?.push({ text, ...telegram.inject({ from, fields: { text } }) });
        }
      })();
      for (const count of killAfter) {
        await telegram.until(() => answered() >= count, AbortSignal.timeout(120_000));
        await pause(Math.random() * 60);
        await bot.kill();
        bot.start();
      }
      await injecting;
      await telegram.until(() => answered() >= messages, AbortSignal.timeout(120_000));
      await telegram.until(() => telegram.pendingUpdates === 0, AbortSignal.timeout(60_000));
      await bot.stop();

      for (const [index, { id }] of people.entries()) {
        const seen = answersIn(telegram, id);
        for (const { text, messageId } of sent[index] ?? []) {
          const given = seen.filter((answer) => answer.text === `Answer to ${text}.`);
          const cutOff = seen.filter(
            (answer) => answer.text.includes('The server stopped') && answer.replyTo === messageId,
          );
          expect(given.length + cutOff.length, `answers to ${text}`).toBe(1);
        }
        expect(seen).toHaveLength(sent[index]?.length ?? 0);
      }
    },
    timeoutMs,
  );
});
