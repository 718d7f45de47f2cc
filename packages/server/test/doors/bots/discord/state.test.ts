// The state that a Discord bot reports, with the real client libraries and the stand-in of Discord.
import { describe, expect, it } from 'vitest';
import { until } from '../../http/door-harness.ts';
import { ask, freshDiscord, startBot } from './harness.ts';

describe('the state of a Discord bot', () => {
  it('is running, with name and time, once the bot answers', async () => {
    const startedAt = Date.now();
    const { state } = await startBot();
    const { since, botName, ...status } = state.status;
    expect(status).toEqual({ name: 'discord', kind: 'discord', state: 'running', lastError: null });
    expect(botName).toMatch(/\w/);
    expect(since).toBeGreaterThanOrEqual(startedAt);
  });

  it('is failed when the token is wrong, says what to do, and never contains the token', async () => {
    const { state } = await startBot({ token: 'a-wrong-one' });
    expect(state.status).toMatchObject({ state: 'failed', botName: null });
    expect(state.status.lastError).toMatch(/does not accept this token.*DISCORD_BOT_TOKEN/);
    expect(JSON.stringify(state.status)).not.toContain('a-wrong-one');
  });

  it('is failed when the bot may not read messages, and says where to allow it', async () => {
    const discord = await freshDiscord({ deniesMessageContent: true });
    const { state } = await startBot({ discord });
    expect(state.status).toMatchObject({ state: 'failed', botName: expect.any(String) });
    expect(state.status.lastError).toMatch(/turn on “Message Content Intent”/);
  });

  it.each([
    [4004, /does not accept this token/],
    [4014, /turn on “Message Content Intent”/],
    [4013, /closed the connection for good/],
  ])('stays failed after Discord closes the connection for good: %i', async (code, reason) => {
    const { discord, state, log } = await startBot();
    discord.gateway.disconnect(code);
    await until(() => state.status.state === 'failed');
    // The library reports an error after the close, and does not reconnect.
    await expect.poll(() => log.some(({ fields }) => fields['code'] === code)).toBe(true);
    expect(state.status).toMatchObject({ state: 'failed', lastError: expect.stringMatching(reason) });
    expect(discord.gateway.connected).toBe(0);
  });

  it('is connecting while the connection is down, and running when it is back', async () => {
    const bot = await startBot();
    const { since } = bot.state.status;
    bot.discord.gateway.drop();
    await until(() => bot.state.status.since > since && bot.state.status.state === 'running');
    expect(bot.state.status.lastError).toBeNull();
    await ask(bot, 'hello');
    await bot.discord.close();
    await until(() => bot.state.status.state === 'connecting');
    expect(bot.state.status.lastError).toBe('The connection to Discord was lost.');
  });
});
