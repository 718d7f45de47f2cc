// How a Telegram bot says that it is doing, with the real grammY against the stand-in of the Bot API.
import { ChannelOverview } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { until } from '../../http/door-harness.ts';
import { ask, freshTelegram, startBot } from './harness.ts';

describe('the state of a Telegram bot', () => {
  it('is running once the bot answers, with its name and since when', async () => {
    const begun = Date.now();
    const bot = await startBot();
    const { since, ...status } = bot.state.status;
    expect(status).toEqual({
      name: 'telegram',
      kind: 'telegram',
      state: 'running',
      botName: bot.telegram.bot.username,
      lastError: null,
    });
    expect(since).toBeGreaterThanOrEqual(begun);
  });

  it('is failed when the token is wrong, says what to do, and never holds the token', async () => {
    const telegram = await freshTelegram();
    const { state } = await startBot({ telegram: { ...telegram, token: '1:wrong' } });
    expect(state.status).toMatchObject({ state: 'failed', botName: null });
    expect(state.status.lastError).toMatch(/does not know this token.*@BotFather.*TELEGRAM_BOT_TOKEN/);
    expect(JSON.stringify(state.status)).not.toContain('1:wrong');
  });

  it.each([
    [{ kind: 'cut' }, 'connecting', 'Telegram could not be reached.'],
    [
      { kind: 'refuse', code: 500, description: 'Internal Server Error' },
      'connecting',
      'Telegram says: Internal Server Error.',
    ],
    [{ kind: 'refuse', code: 401, description: 'Unauthorized' }, 'failed', 'does not know this token'],
    [
      { kind: 'refuse', code: 409, description: 'Conflict: terminated by other getUpdates request' },
      'failed',
      'Another program reads the messages of this bot.',
    ],
  ] as const)(
    'changes while messages cannot be fetched, and back: %j',
    async (fault, expected, sentence) => {
      const bot = await startBot();
      bot.telegram.failNext('getUpdates', fault, fault);
      await until(() => bot.state.status.state === expected);
      expect(bot.state.status.lastError).toContain(sentence);
      expect(JSON.stringify(bot.state.status)).not.toContain(bot.telegram.token);
      await until(() => bot.state.status.state === 'running');
      expect(bot.state.status.lastError).toBeNull();
      expect((await ask(bot, 'hello')).text).toBe('You said: hello');
    },
    30_000,
  );

  it('is what the overview promises', async () => {
    const { state } = await startBot();
    const overview = { channels: [state.status] };
    expect(ChannelOverview.parse(overview)).toEqual(overview);
  });
});
