// What the program asks in a chat: permissions, questions with options, and plans.
import { ParleyError } from '@parley/protocol';
import type { SentMessage } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import type { EngineTurn } from '../../../../src/domain/engine.ts';
import { SteppedEngine, say } from '../harness.ts';
import { buttonsOf, callbackTexts, press, untilCallback } from './buttons.ts';
import { answers, ask, petra, startBot, stranger } from './harness.ts';

describe('permissions in a chat', () => {
  const asking = async function* (turn: EngineTurn) {
    const decision = await turn.askPermission({ tool: 'Bash', input: { command: 'rm -r build' } });
    yield* say(`It was ${JSON.stringify(decision)}`);
  };

  async function askedBot() {
    const engine = new SteppedEngine();
    engine.scripts.set('tidy up', asking);
    const bot = await startBot({ engine, allowFrom: ['1001'], settings: { permissionMode: 'ask' } });
    bot.telegram.inject({ from: petra, fields: { text: 'tidy up' } });
    const [card] = await answers(bot.telegram, 1);
    return { bot, engine, card: card as SentMessage };
  }

  it('are asked with buttons, and then show the outcome', async () => {
    const { bot, engine, card } = await askedBot();
    expect(engine.turns[0]?.session.settings['permissionMode']).toBe('default');
    expect(card.text).toContain('May I use Bash?');
    expect(card.text).toContain('rm -r build');
    expect(buttonsOf(card).map(({ text }) => text)).toEqual(['Allow', 'Deny', 'Allow for this session']);
    press(bot, card, 'Allow');
    expect((await answers(bot.telegram, 2))[1]?.text).toContain('"behavior":"allow","scope":"once"');
    await bot.telegram.until(() => card.text.includes('✅ Allowed'), AbortSignal.timeout(60_000));
    expect(buttonsOf(card)).toEqual([]);
  });

  it('offer no allowance for the session if they are asked each time', async () => {
    const engine = new SteppedEngine();
    engine.scripts.set('post it', async function* (turn: EngineTurn) {
      const details = { requires_user_interaction: true };
      const request = { tool: 'web_fetch', input: { url: 'https://evil.example' }, details };
      yield* say(`It was ${(await turn.askPermission(request)).behavior}`);
    });
    const bot = await startBot({ engine, settings: { permissionMode: 'ask' } });
    bot.telegram.inject({ from: petra, fields: { text: 'post it' } });
    const [card] = await answers(bot.telegram, 1);
    expect(buttonsOf(card as SentMessage).map(({ text }) => text)).toEqual(['Allow', 'Deny']);
    press(bot, card as SentMessage, 'Allow');
    expect((await answers(bot.telegram, 2))[1]?.text).toBe('It was allow');
  });

  it('are asked and answered in the same topic', async () => {
    const engine = new SteppedEngine();
    engine.scripts.set('tidy up', asking);
    const bot = await startBot({ engine, settings: { permissionMode: 'ask' } });
    const chat = { id: -100_500, type: 'supergroup', is_forum: true } as const;
    const fields = { text: 'tidy up', message_thread_id: 7, is_topic_message: true };
    bot.telegram.inject({ chat, from: petra, fields });
    const [card] = await answers(bot.telegram, 1, chat.id);
    press(bot, card as SentMessage, 'Allow');
    const [, answer] = await answers(bot.telegram, 2, chat.id);
    expect(answer).toMatchObject({ threadId: 7, text: expect.stringContaining('"behavior":"allow"') });
  });

  it('can be allowed for the whole session, and denied', async () => {
    const { bot, card } = await askedBot();
    press(bot, card, 'Allow for this session');
    expect((await answers(bot.telegram, 2))[1]?.text).toContain('"scope":"session"');
    const denied = await askedBot();
    press(denied.bot, denied.card, 'Deny');
    expect((await answers(denied.bot.telegram, 2))[1]?.text).toContain('"behavior":"deny"');
    await denied.bot.telegram.until(
      () => denied.card.text.includes('❌ Denied'),
      AbortSignal.timeout(60_000),
    );
  });

  it('cannot be answered by a stranger, twice, or from another chat', async () => {
    const { bot, card } = await askedBot();
    bot.telegram.pressButton({
      from: stranger,
      message: card,
      data: buttonsOf(card)[0]?.callback_data ?? '',
    });
    await untilCallback(bot, /not on the allow list/);
    const copy = { ...card, chatId: -5 };
    bot.telegram.inject({ chat: { id: -5, type: 'group' }, from: stranger, fields: { text: 'x' } });
    bot.telegram.pressButton({ from: petra, message: copy, data: buttonsOf(card)[0]?.callback_data ?? '' });
    await untilCallback(bot, /no longer open/);
    expect(bot.telegram.visible(petra.id)).toHaveLength(1);
    const again = { ...card };
    press(bot, card, 'Deny');
    await answers(bot.telegram, 2);
    press(bot, again, 'Allow');
    await bot.telegram.until(
      () => callbackTexts(bot).filter((text) => /no longer open/.test(text)).length === 2,
      AbortSignal.timeout(60_000),
    );
    expect(bot.telegram.visible(petra.id)).toHaveLength(2);
  });

  it('show the outcome when somebody decides at another door', async () => {
    const { bot, engine, card } = await askedBot();
    const session = engine.turns[0]?.session;
    if (!session) throw new Error('no session');
    const { permissions } = await bot.gateway.state('petra', session.id);
    await bot.gateway.decide('petra', session.id, permissions[0]?.id ?? '', {
      behavior: 'allow',
      scope: 'once',
    });
    await bot.telegram.until(() => card.text.includes('✅ Allowed'), AbortSignal.timeout(60_000));
  });

  it('tell whoever presses a button why it did not work, and can be pressed again', async () => {
    const { bot, card } = await askedBot();
    const decide = bot.gateway.decide.bind(bot.gateway);
    const isAway = new ParleyError('unavailable', 'The server that has this session is not answering.');
    Object.assign(bot.gateway, { decide: () => Promise.reject(isAway) });
    press(bot, card, 'Allow');
    await untilCallback(bot, /is not answering/);
    await bot.telegram.until(() => bot.telegram.pendingUpdates === 0, AbortSignal.timeout(60_000));
    expect(bot.state.status).toMatchObject({ state: 'running' });
    Object.assign(bot.gateway, { decide });
    press(bot, card, 'Allow');
    await bot.telegram.until(() => card.text.includes('✅ Allowed'), AbortSignal.timeout(60_000));
  });

  it('are closed when the turn is stopped', async () => {
    const { bot, card } = await askedBot();
    bot.telegram.inject({ from: petra, fields: { text: '/stop' } });
    await bot.telegram.until(() => buttonsOf(card).length === 0, AbortSignal.timeout(60_000));
    expect(card.text).toMatch(/Withdrawn|turn ended/);
  });

  it('show each question as a message with its options as buttons', async () => {
    const engine = new SteppedEngine();
    const input = {
      questions: [
        {
          question: 'Which herb?',
          header: 'Herb',
          options: [{ label: 'Basil', description: 'fresh' }, { label: 'Thyme' }],
        },
        {
          question: 'With what?',
          header: 'With',
          options: [{ label: 'Oil' }, { label: 'Salt' }],
          multiSelect: true,
        },
      ],
    };
    engine.scripts.set('cook', async function* (turn) {
      const details = { requires_user_interaction: true };
      const decision = await turn.askPermission({ tool: 'AskUserQuestion', input, details });
      yield* say(JSON.stringify(decision.behavior === 'allow' ? decision.updatedInput : decision));
    });
    const bot = await startBot({ engine });
    bot.telegram.inject({ from: petra, fields: { text: 'cook' } });
    const [herb, extras] = (await answers(bot.telegram, 2)) as [SentMessage, SentMessage];
    expect(herb.text).toContain('Basil: fresh');
    press(bot, extras, 'Oil');
    press(bot, extras, 'Salt');
    press(bot, herb, 'Thyme');
    const answer = (await answers(bot.telegram, 3))[2];
    expect(JSON.parse(answer?.text ?? '')).toEqual({
      ...input,
      answers: { 'Which herb?': 'Thyme', 'With what?': 'Oil, Salt' },
    });
    await bot.telegram.until(() => extras.text.includes('✅ Oil, Salt'), AbortSignal.timeout(60_000));
    expect(herb.text).toContain('✅ Thyme');
  });

  it('take a written answer to a question too', async () => {
    const engine = new SteppedEngine();
    const options = [{ label: 'Basil' }, { label: 'Thyme' }];
    const questions = [
      { question: 'Which herb?', options },
      { question: 'And which for the fish?', options },
    ];
    engine.scripts.set('cook', async function* (turn) {
      const decision = await turn.askPermission({ tool: 'AskUserQuestion', input: { questions } });
      yield* say(JSON.stringify(decision.behavior === 'allow' ? decision.updatedInput : decision));
    });
    const bot = await startBot({ engine });
    bot.telegram.inject({ from: petra, fields: { text: 'cook' } });
    const [first, second] = (await answers(bot.telegram, 2)) as [SentMessage, SentMessage];
    bot.telegram.inject({ from: petra, fields: { text: 'None, thank you' } });
    await bot.telegram.until(() => first.text.includes('✓ None, thank you'), AbortSignal.timeout(60_000));
    bot.telegram.inject({ from: petra, fields: { text: 'Dill' } });
    const answer = (await answers(bot.telegram, 3))[2];
    expect(JSON.parse(answer?.text ?? '')).toMatchObject({
      answers: { 'Which herb?': 'None, thank you', 'And which for the fish?': 'Dill' },
    });
    await bot.telegram.until(() => second.text.includes('✅ Dill'), AbortSignal.timeout(60_000));
    expect((await ask(bot, 'hello')).text).toBe('You said: hello');
    expect(engine.turns).toHaveLength(2);
  });

  it('show the beginning of an answer that is too long for the message', async () => {
    const engine = new SteppedEngine();
    const questions = [{ question: 'Which herb?', options: [{ label: 'Basil' }, { label: 'Thyme' }] }];
    engine.scripts.set('cook', async function* (turn) {
      await turn.askPermission({ tool: 'AskUserQuestion', input: { questions } });
      yield* say('Thank you');
    });
    const bot = await startBot({ engine });
    bot.telegram.inject({ from: petra, fields: { text: 'cook' } });
    const [card] = (await answers(bot.telegram, 1)) as [SentMessage];
    bot.telegram.inject({ from: petra, fields: { text: `None, because ${'no '.repeat(1_360)}` } });
    await bot.telegram.until(() => card.text.includes('✅ None, because no'), AbortSignal.timeout(60_000));
    expect(card.text.length).toBeLessThanOrEqual(4_096);
    expect(buttonsOf(card)).toEqual([]);
  });

  it('show everything that would run, with hidden characters made visible', async () => {
    const engine = new SteppedEngine();
    const command = `echo ${'quite harmless '.repeat(300)}; rm -r \u202Ebuild`;
    engine.scripts.set('tidy up', async function* (turn) {
      await turn.askPermission({ tool: 'Bash', input: { command, run_in_background: true } });
      yield* say('done');
    });
    const bot = await startBot({ engine, settings: { permissionMode: 'ask' } });
    bot.telegram.inject({ from: petra, fields: { text: 'tidy up' } });
    const cards = await answers(bot.telegram, 2);
    const shown = cards.map(({ text }) => text).join(' ');
    expect(shown.split('quite harmless')).toHaveLength(301);
    expect(shown).toContain('rm -r \\u{202e}build');
    expect(shown).toContain('run_in_background: true');
  });

  it('show an edit of a file as removed and added lines', async () => {
    const engine = new SteppedEngine();
    const input = { file_path: '/srv/a.txt', old_string: 'one\ntwo', new_string: 'three' };
    engine.scripts.set('edit', async function* (turn) {
      await turn.askPermission({ tool: 'Edit', input });
      yield* say('done');
    });
    const bot = await startBot({ engine, settings: { permissionMode: 'ask' } });
    const card = await ask(bot, 'edit');
    expect(card.text).toBe('🔐 May I use Edit?\n/srv/a.txt\n- one\n- two\n+ three');
  });

  it('do not show typing while they wait for an answer', async () => {
    const { bot, card } = await askedBot();
    const typed = () => bot.telegram.calls.filter(({ method }) => method === 'sendChatAction').length;
    const before = typed();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(typed()).toBe(before);
    press(bot, card, 'Allow');
    await answers(bot.telegram, 2);
  });

  it('show the plan from the model’s last text when the request has none', async () => {
    const engine = new SteppedEngine();
    engine.scripts.set('plan it', async function* (turn) {
      yield* say('1. Look\n2. Leap');
      yield { type: 'tool.started', id: 'a', tool: 'ToolSearch', input: {} };
      yield { type: 'tool.ended', id: 'a', tool: 'ToolSearch', outcome: 'finished', result: '' };
      const decision = await turn.askPermission({ tool: 'ExitPlanMode', input: {} });
      yield* say(decision.behavior);
    });
    const bot = await startBot({ engine });
    const card = await ask(bot, 'plan it');
    expect(card.text).toBe('📋 Here is my plan:\n\n1. Look\n2. Leap\n\nShould I go ahead?');
    press(bot, card, 'Keep planning');
    expect((await answers(bot.telegram, 2))[1]?.text).toBe('deny');
  });

  it('show a long plan with buttons under its last message', async () => {
    const engine = new SteppedEngine();
    engine.scripts.set('plan it', async function* (turn) {
      const plan = `# Plan\n\n${'Step by step. '.repeat(500)}`;
      const decision = await turn.askPermission({
        tool: 'ExitPlanMode',
        input: { plan },
        details: { requires_user_interaction: true },
      });
      yield* say(decision.behavior);
    });
    const bot = await startBot({ engine });
    bot.telegram.inject({ from: petra, fields: { text: 'plan it' } });
    const [first, last] = (await answers(bot.telegram, 2)) as [SentMessage, SentMessage];
    expect(first.text).toContain('Here is my plan');
    press(bot, last, 'Go ahead');
    expect((await answers(bot.telegram, 3))[2]?.text).toBe('allow');
  });
});
