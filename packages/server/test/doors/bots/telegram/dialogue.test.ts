// Commands in a chat, and messages that the program sends during a turn.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buttonsOf, untilCallback } from './buttons.ts';
import { answers, ask, gate, petra, SteppedEngine, say, startBot } from './harness.ts';

describe('the commands of a chat', () => {
  it('are registered with Telegram', async () => {
    const bot = await startBot();
    const registered = () => bot.telegram.calls.find(({ method }) => method === 'setMyCommands');
    await bot.telegram.until(() => registered() !== undefined, AbortSignal.timeout(20_000));
    const listed = registered()?.payload['commands'] as { command: string }[] | undefined;
    expect(listed?.map(({ command }) => command)).toEqual([
      'new',
      'stop',
      'status',
      'model',
      'sessions',
      'help',
    ]);
  });

  it.each(['/new', '/clear', '/NEW@parley_test_bot'])('start a new session with %s', async (command) => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    await ask(bot, 'one');
    expect((await ask(bot, command)).text).toContain('new session');
    await ask(bot, 'two');
    expect(engine.turns).toHaveLength(2);
    expect(engine.turns[0]?.session.id).not.toBe(engine.turns[1]?.session.id);
  });

  it('stop the turn and clear the queue with /stop', async () => {
    const engine = new SteppedEngine();
    engine.scripts.set('slow', async function* ({ signal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      yield* say('half of it');
    });
    const bot = await startBot({ engine });
    expect((await ask(bot, '/stop')).text).toBe('Nothing is running.');
    bot.telegram.inject({ from: petra, fields: { text: 'slow' } });
    bot.telegram.inject({ from: petra, fields: { text: 'waiting' } });
    bot.telegram.inject({ from: petra, fields: { text: '/stop' } });
    const texts = (await answers(bot.telegram, 4)).map(({ text }) => text);
    expect(texts).toContain('Stopping.');
    expect(texts).toContain('half of it\n\nStopped.');
    expect(texts).toContain('This message was withdrawn before I got to it.');
    expect(engine.turns).toHaveLength(1);
  });

  it('show session, model, cost and directory with /status', async () => {
    const engine = new SteppedEngine();
    engine.scripts.set('costly', async function* () {
      const usage = {
        inputTokens: 10,
        outputTokens: 5,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        costUsd: 0.0123,
      };
      yield { type: 'usage', model: 'm', usage };
      yield* say('done');
    });
    const bot = await startBot({ engine });
    expect((await ask(bot, '/status')).text).toContain('no session yet');
    await ask(bot, 'costly');
    const { text } = await ask(bot, '/status@parley_test_bot');
    expect(text).toContain(engine.turns[0]?.session.id);
    expect(text).toContain('Model: claude-sonnet-4-5');
    expect(text).toContain('Cost: $0.0123 in 1 turn');
    expect(text).toContain(bot.folder);
    expect(text).toContain('State: idle');
  });

  it('change the model with /model, before and during a session', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    expect((await ask(bot, '/model')).text).toContain('The model is claude-sonnet-4-5.');
    expect((await bot.gateway.listSessions('petra', { limit: 1 })).sessions).toEqual([]);
    expect((await ask(bot, '/model opus')).text).toBe('This session now uses opus.');
    await ask(bot, 'hello');
    expect(engine.turns[0]?.session.settings['model']).toBe('opus');
  });

  it('switch to a recent session with /sessions', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    await ask(bot, 'about herbs');
    await ask(bot, '/new');
    await ask(bot, 'about soup');
    const list = await ask(bot, '/sessions');
    expect(buttonsOf(list).map(({ text }) => text)).toEqual(['✓ about soup', 'about herbs']);
    const herbs = buttonsOf(list).find(({ text }) => text === 'about herbs');
    bot.telegram.pressButton({ from: petra, message: list, data: herbs?.callback_data ?? '' });
    await untilCallback(bot, /now continues: about herbs/);
    await ask(bot, 'more');
    expect(engine.turns.at(-1)?.session.id).toBe(engine.turns[0]?.session.id);
  });

  it('are explained by /help and /start; other commands go to the program', async () => {
    const bot = await startBot();
    expect((await ask(bot, '/start')).text).toContain('/sessions: List recent sessions');
    expect((await ask(bot, '/compact')).text).toBe('You said: /compact');
    expect((await ask(bot, '/compact@Parley_Test_Bot now')).text).toBe('You said: /compact now');
    expect((await ask(bot, '/new@other_bot')).text).toBe('You said: /new@other_bot');
  });
});

describe('a bot whose program sends messages during a turn', () => {
  it('delivers them at once, to its own chat only [channels.tools.message] [channels.tools.message-own-chat]', async () => {
    const engine = new SteppedEngine();
    const block = gate();
    engine.scripts.set('work', async function* () {
      await block.opened;
      yield* say('done');
    });
    const bot = await startBot({ engine, allowFrom: ['1001', '1002'] });
    bot.telegram.inject({ from: { ...petra, id: 1002 }, fields: { text: 'other' } });
    await answers(bot.telegram, 1, 1002);
    bot.telegram.inject({ from: petra, fields: { text: 'work' } });
    await waitFor(() => engine.turns.length === 2);
    const file = String(engine.turns.at(-1)?.session.settings['mcpConfig']);
    expect(statSync(file).mode & 0o077).toBe(0);
    const { parley } = (JSON.parse(readFileSync(file, 'utf8')) as McpConfig).mcpServers;
    const call = (headers: Record<string, string>, args: object) =>
      fetch(parley.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'message', arguments: args },
        }),
      });
    const sent = await call(parley.headers, { text: 'half way', chatId: '1002', chat_id: '1002' });
    expect(await sent.text()).toContain('Sent.');
    expect(bot.telegram.visible(petra.id).map(({ text }) => text)).toEqual(['half way']);
    expect(bot.telegram.visible(1002)).toHaveLength(1);
    expect((await call({ Authorization: 'Bearer made-up' }, { text: 'x' })).status).toBe(401);
    expect((await call({}, { text: 'x' })).status).toBe(401);
    block.open();
    await answers(bot.telegram, 2);
    await bot.stop();
    expect(existsSync(file)).toBe(false);
  });
});

interface McpConfig {
  readonly mcpServers: {
    readonly parley: { readonly url: string; readonly headers: Record<string, string> };
  };
}

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
