// Commands in a chat, and messages that the program sends during a turn.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { promptText } from '@parley/protocol';
import type { SentMessage } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import { gate, SteppedEngine, say } from '../harness.ts';
import { buttonsOf, untilCallback } from './buttons.ts';
import { answers, ask, petra, startBot } from './harness.ts';

describe('the commands of a chat', () => {
  it('are registered with Telegram', async () => {
    const bot = await startBot();
    const registered = () => bot.telegram.calls.find(({ method }) => method === 'setMyCommands');
    await bot.telegram.until(() => registered() !== undefined, AbortSignal.timeout(60_000));
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

  it('free the chat at once with /new, even while a turn runs or asks [channels.flow.new-is-free]', async () => {
    const engine = new SteppedEngine();
    const stuck = gate();
    engine.scripts.set('stuck', async function* () {
      await stuck.opened;
      yield* say('too late');
    });
    const question = { question: 'Which?', header: 'H', options: [{ label: 'A' }, { label: 'B' }] };
    engine.scripts.set('ask', async function* (turn) {
      const details = { requires_user_interaction: true };
      const decision = await turn.askPermission({
        tool: 'AskUserQuestion',
        input: { questions: [question] },
        details,
      });
      yield* say(`answered: ${decision.behavior}`);
    });
    const bot = await startBot({ engine });
    for (const text of ['stuck', 'behind', '/new', 'hello']) {
      bot.telegram.inject({ from: petra, fields: { text } });
    }
    const isThere = (text: string) => bot.telegram.visible(petra.id).some((message) => message.text === text);
    await bot.telegram.until(() => isThere('You said: hello'), AbortSignal.timeout(60_000));
    expect(isThere('Stopped.')).toBe(false);
    expect(isThere('too late')).toBe(false);
    await bot.telegram.until(
      () => isThere('This message was withdrawn before I got to it.') && isThere('Stopped.'),
      AbortSignal.timeout(60_000),
    );
    expect(engine.turns.map(({ prompt }) => promptText(prompt))).toEqual(['stuck', 'hello']);
    stuck.open();

    bot.telegram.inject({ from: petra, fields: { text: 'ask' } });
    await bot.telegram.until(
      () => bot.telegram.visible(petra.id).some(({ text }) => text.includes('Which?')),
      AbortSignal.timeout(60_000),
    );
    for (const text of ['/new', 'B']) bot.telegram.inject({ from: petra, fields: { text } });
    await bot.telegram.until(() => isThere('You said: B'), AbortSignal.timeout(60_000));
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

  it('show session, model, cost and folder with /status', async () => {
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

  it("list and open in a group only what was said in it, and nobody's other sessions [channels.session.group-is-closed]", async () => {
    const engine = new SteppedEngine();
    const sebastian = { ...petra, id: 1002, first_name: 'Sebastian' };
    const group = { id: -100_500, type: 'supergroup', title: 'Kitchen' } as const;
    const people = { '1001': 'petra', '1002': 'sebastian' };
    const bot = await startBot({ engine, allowFrom: ['1001', '1002'], settings: { people } });
    await ask(bot, 'a secret of petra');
    let seen = 0;
    const inGroup = async (text: string) => {
      bot.telegram.inject({ chat: group, from: sebastian, fields: { text } });
      seen += 1;
      return (await answers(bot.telegram, seen, group.id))[seen - 1] as SentMessage;
    };
    expect((await inGroup('/sessions')).text).toBe('There are no sessions in this chat yet.');
    await inGroup('about bread');
    await inGroup('/new');
    await inGroup('about soup');
    const list = await inGroup('/sessions');
    expect(buttonsOf(list).map(({ text }) => text)).toEqual(['✓ about soup', 'about bread']);
    // A modified client can send the data of any button.
    const [secret] = engine.turns;
    bot.telegram.pressButton({ from: sebastian, message: list, data: `s:${secret?.session.id}` });
    await untilCallback(bot, /^There is no such session\.$/);
    await inGroup('what now?');
    expect(engine.turns.at(-1)?.session.id).toBe(engine.turns.at(-2)?.session.id);
    const bread = buttonsOf(list).at(-1)?.callback_data ?? '';
    bot.telegram.pressButton({ from: petra, message: list, data: bread });
    await untilCallback(bot, /now continues: about bread/);
    expect(buttonsOf(await ask(bot, '/sessions'))).toHaveLength(3);
  });

  it('are ignored when they are for another bot', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    await ask(bot, 'hello');
    bot.telegram.inject({ from: petra, fields: { text: '/status@other_bot' } });
    bot.telegram.inject({ from: petra, fields: { text: '/compact@other_bot now' } });
    expect((await ask(bot, 'next')).text).toBe('You said: next');
    expect(bot.telegram.visible(petra.id)).toHaveLength(2);
    expect(engine.turns).toHaveLength(2);
  });

  it('are explained by /help and /start; other commands go to the program', async () => {
    const bot = await startBot();
    expect((await ask(bot, '/start')).text).toContain('/sessions: Choose a recent session');
    expect((await ask(bot, '/compact')).text).toBe('You said: /compact');
    expect((await ask(bot, '/compact@Parley_Test_Bot now')).text).toBe('You said: /compact now');
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
