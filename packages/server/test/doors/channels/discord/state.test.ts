// How a Discord bot says that it is doing, with the real libraries against the stand-in of Discord.
import { describe, expect, it } from 'vitest';
import { until } from '../../http/door-harness.ts';
import { ask, freshDiscord, startBot } from './harness.ts';

describe('the state of a Discord bot', () => {
  it('is running once the bot answers, with its name and since when', async () => {
    const begun = Date.now();
    const { state } = await startBot();
    const { since, botName, ...status } = state.status;
    expect(status).toEqual({ name: 'discord', kind: 'discord', state: 'running', lastError: null });
    expect(botName).toMatch(/\w/);
    expect(since).toBeGreaterThanOrEqual(begun);
  });

  it('is failed when the token is wrong, says what to do, and never holds the token', async () => {
    const { state } = await startBot({ token: 'a-wrong-one' });
    expect(state.status).toMatchObject({ state: 'failed', botName: null });
    expect(state.status.lastError).toMatch(/does not know this token.*DISCORD_BOT_TOKEN/);
    expect(JSON.stringify(state.status)).not.toContain('a-wrong-one');
  });

  it('is failed when the bot may not read messages, and says where to allow it', async () => {
    const discord = await freshDiscord({ deniesMessageContent: true });
    const { state } = await startBot({ discord });
    expect(state.status).toMatchObject({ state: 'failed', botName: expect.any(String) });
    expect(state.status.lastError).toMatch(/turn on “Message Content Intent”/);
  });

  it('is connecting while the connection is broken, and running when it is up again', async () => {
    const bot = await startBot();
    const { since } = bot.state.status;
    bot.discord.gateway.drop();
    await until(() => bot.state.status.since > since && bot.state.status.state === 'running');
    expect(bot.state.status.lastError).toBeNull();
    await ask(bot, 'hello');
    await bot.discord.close();
    await until(() => bot.state.status.state === 'connecting');
    expect(bot.state.status.lastError).toBe('The connection to Discord broke.');
  }, 60_000);
});
