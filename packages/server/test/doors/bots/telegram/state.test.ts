// The state that a Telegram bot reports, with the real grammY and the stand-in of the Bot API.
import { ChannelOverview } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { until } from '../../http/door-harness.ts';
import { ask, freshTelegram, startBot } from './harness.ts';

describe('the state of a Telegram bot', () => {
  it('is running, with name and time, once the bot answers', async () => {
    const startedAt = Date.now();
    const bot = await startBot();
    const { since, ...status } = bot.state.status;
    expect(status).toEqual({
      name: 'telegram',
      kind: 'telegram',
      state: 'running',
      botName: bot.telegram.bot.username,
      lastError: null,
    });
    expect(since).toBeGreaterThanOrEqual(startedAt);
  });

  it('is failed when the token is wrong, says what to do, and never contains the token', async () => {
    const telegram = await freshTelegram();
    const { state } = await startBot({ telegram: { ...telegram, token: '1:wrong' } });
    expect(state.status).toMatchObject({ state: 'failed', botName: null });
    expect(state.status.lastError).toMatch(/does not accept this token.*@BotFather.*TELEGRAM_BOT_TOKEN/);
    expect(JSON.stringify(state.status)).not.toContain('1:wrong');
  });

  it.each([
    [{ kind: 'cut' }, 'connecting', 'Telegram could not be reached.'],
    [
      { kind: 'refuse', code: 500, description: 'Internal Server Error' },
      'connecting',
      'Telegram says: Internal Server Error.',
    ],
    [{ kind: 'refuse', code: 401, description: 'Unauthorized' }, 'failed', 'does not accept this token'],
    [
      { kind: 'refuse', code: 409, description: 'Conflict: terminated by other getUpdates request' },
      'failed',
      'Another program is reading the messages of this bot.',
    ],
  ] as const)(
    'changes while messages cannot be fetched, and recovers: %j',
    async (fault, expected, reason) => {
      const bot = await startBot();
      bot.telegram.failNext('getUpdates', fault, fault);
      await until(() => bot.state.status.state === expected);
      expect(bot.state.status.lastError).toContain(reason);
      expect(JSON.stringify(bot.state.status)).not.toContain(bot.telegram.token);
      await until(() => bot.state.status.state === 'running');
      expect(bot.state.status.lastError).toBeNull();
      expect((await ask(bot, 'hello')).text).toBe('You said: hello');
    },
    30_000,
  );

  it('matches the schema of the overview', async () => {
    const { state } = await startBot();
    const overview = { channels: [state.status] };
    expect(ChannelOverview.parse(overview)).toEqual(overview);
  });
});
