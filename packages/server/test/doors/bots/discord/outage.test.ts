// Discord itself is down for a while, both REST and gateway.
import { freePort, startDiscordStandIn } from '@parley/stand-ins';
import { expect, it, onTestFinished } from 'vitest';
import { answers, ask, startBot } from './harness.ts';

it('a bot reconnects by itself after an outage, and answers the messages it missed', async () => {
  const port = await freePort();
  const before = await startDiscordStandIn({ port });
  const bot = await startBot({ discord: before });
  await ask(bot, 'before');
  const { token } = before;
  await before.close();
  await expect.poll(() => bot.state.status.state).toBe('connecting');
  const after = await startDiscordStandIn({ token, port });
  onTestFinished(() => after.close());
  after.inject({ content: 'while the connection was broken' });
  const [answer] = await answers(after, 1, after.general.id, 60_000);
  expect(answer?.content).toBe('You said: while the connection was broken');
  expect(bot.state.status).toMatchObject({ state: 'running', lastError: null });
});
