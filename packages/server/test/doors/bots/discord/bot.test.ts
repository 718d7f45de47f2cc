// The Discord door with the real gateway: what people see in their channels.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promptText } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { gate, SteppedEngine, say } from '../harness.ts';
import { answers, ask, direct, freshDiscord, petra, startBot, stranger, whispered } from './harness.ts';

describe('a Discord bot', () => {
  it('answers every message in the channel that it came from [channels.discord.gateway] [channels.discord.send] [channels.trigger.every-message] [channels.flow.same-chat]', async () => {
    const bot = await startBot();
    for (const word of ['one', 'two', 'three']) {
      bot.discord.inject({ author: petra, content: word });
      bot.discord.inject({ author: petra, channel: direct, content: `direct ${word}` });
    }
    expect((await answers(bot.discord, 3)).map(({ content }) => content)).toEqual([
      'You said: one',
      'You said: two',
      'You said: three',
    ]);
    expect((await answers(bot.discord, 3, direct.id)).map(({ content }) => content)).toEqual([
      'You said: direct one',
      'You said: direct two',
      'You said: direct three',
    ]);
  });

  it('gives each channel and each thread its own session, and continues it [channels.session.per-chat]', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    const thread = { id: '9200', type: 11, guild_id: '8000', parent_id: '9001', name: 'Plans' } as const;
    await ask(bot, 'first');
    await ask(bot, 'second');
    await ask(bot, 'in a thread', thread);
    const sessionOf = new Map(engine.turns.map(({ prompt, session }) => [promptText(prompt), session.id]));
    expect(sessionOf.get('first')).toBe(sessionOf.get('second'));
    expect(new Set(sessionOf.values()).size).toBe(2);
    await bot.stop();
    expect(JSON.parse(readFileSync(join(bot.folder, 'sessions.json'), 'utf8'))).toEqual({
      'discord:9001': { sessionId: sessionOf.get('first'), updatedAt: expect.any(String) },
      'discord:9200': { sessionId: sessionOf.get('in a thread'), updatedAt: expect.any(String) },
    });
  });

  it('ignores bots and webhooks, even those on the allow list [channels.discord.ignores-bots]', async () => {
    const engine = new SteppedEngine();
    const other = { id: '5000', username: 'Other', bot: true };
    const bot = await startBot({ engine, allowFrom: ['*', other.id] });
    bot.discord.inject({ author: other, content: 'beep' });
    bot.discord.inject({ author: petra, content: 'hook', fields: { webhook_id: '77' } });
    bot.discord.inject({ author: petra, content: 'joined', fields: { type: 7 } });
    await ask(bot, 'hello');
    expect(engine.turns.map(({ prompt }) => promptText(prompt))).toEqual(['hello']);
  });

  it('refuses strangers on every path [channels.discord.allow-list]', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    bot.discord.inject({ author: stranger, content: 'let me in' });
    bot.discord.inject({ author: stranger, channel: direct, content: 'let me in' });
    expect(await whispered(bot.discord, bot.discord.useCommand({ from: stranger, name: 'status' }))).toBe(
      'You are not on the allow list of this bot.',
    );
    const answer = await ask(bot, 'hello');
    bot.discord.inject({ author: stranger, content: 'and now?' });
    const press = { from: stranger, message: answer, customId: 'p:x' };
    expect(await whispered(bot.discord, bot.discord.pressButton(press))).toBe(
      'You are not on the allow list of this bot.',
    );
    await ask(bot, 'again');
    expect(engine.turns.map(({ prompt }) => promptText(prompt))).toEqual(['hello', 'again']);
    expect(
      bot.log.filter(({ fields }) => fields['refused']).map(({ fields }) => fields['senderId']),
    ).toContain(stranger.id);
  });

  it('lets nobody in with an empty list, and the log says how to find an id [channels.discord.allow-list]', async () => {
    const bot = await startBot({ allowFrom: [] });
    const warning = bot.log.find(
      ({ level, message }) => level === 'warn' && message.includes('find your id'),
    );
    expect(warning?.message).toContain('DISCORD_ALLOW_FROM');
    bot.discord.inject({ author: petra, content: 'hello' });
    while (!bot.log.some(({ fields }) => fields['senderId'] === petra.id))
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(bot.discord.visible()).toEqual([]);
  });

  it('logs a refused token, and a missing message content intent', async () => {
    const wrong = await startBot({ token: 'wrong' });
    expect(wrong.log.find(({ level }) => level === 'error')?.fields['reason']).toContain('token');
    const discord = await freshDiscord({ deniesMessageContent: true });
    const blind = await startBot({ discord });
    expect(blind.log.some(({ fields }) => /Message Content Intent/.test(String(fields['reason'])))).toBe(
      true,
    );
    expect(JSON.stringify([...wrong.log, ...blind.log])).not.toContain(discord.token);
  });

  it('shows typing, and the tools in one message that it removes at the end', async () => {
    const engine = new SteppedEngine();
    const block = gate();
    engine.scripts.set('work', async function* () {
      yield { type: 'tool.started', id: 't1', tool: 'Bash', input: { command: 'ls' } };
      await block.opened;
      yield { type: 'tool.ended', id: 't1', tool: 'Bash', outcome: 'finished', output: 'README.md' };
      yield* say('Done.');
    });
    const bot = await startBot({ engine });
    bot.discord.inject({ author: petra, content: 'work' });
    await bot.discord.until(() => bot.discord.visible().some(({ content }) => content.includes('Bash `ls`')));
    const [status] = bot.discord.visible();
    expect(status?.isSilent).toBe(true);
    block.open();
    const [answer] = await answers(bot.discord, 1);
    expect(answer?.content).toBe('Done.');
    await bot.discord.until(() => status?.isDeleted === true);
    expect(bot.discord.calls.some(({ route }) => route === 'POST /channels/:id/typing')).toBe(true);
  });

  it('registers its commands, and answers them as slash commands and as plain text', async () => {
    const bot = await startBot();
    await bot.discord.until(() =>
      bot.discord.calls.some(({ route }) => route === 'PUT /applications/:id/commands'),
    );
    const call = bot.discord.calls.find(({ route }) => route === 'PUT /applications/:id/commands');
    expect(call?.payload).toMatchObject(
      ['new', 'stop', 'status', 'model', 'sessions', 'help'].map((name) => ({ name })),
    );
    expect((await ask(bot, '/status')).content).toContain('no session yet');
    const options = [{ name: 'name', value: 'opus' }];
    expect(
      await whispered(bot.discord, bot.discord.useCommand({ from: petra, name: 'model', options })),
    ).toBe('One moment …');
    expect((await answers(bot.discord, 2))[1]?.content).toBe('This session now uses opus.');
    expect((await ask(bot, '<@4711> /status')).content).toContain('Model: opus');
    const list = await ask(bot, '/sessions');
    const customId = list.components[0]?.components[0]?.custom_id ?? '';
    expect(
      await whispered(bot.discord, bot.discord.pressButton({ from: petra, message: list, customId })),
    ).toContain('This chat now continues');
  });

  it('shows the answer to a question only to whoever asked [channels.discord.private-answers]', async () => {
    const bot = await startBot();
    const { discord } = bot;
    await ask(bot, 'about soup');
    const use = (name: string) => discord.useCommand({ from: petra, name });
    const status = use('status');
    expect(await whispered(discord, status)).toContain('State: idle');
    expect(discord.callbackOf(status)).toEqual({ type: 5, data: { flags: 64 } });
    expect(await whispered(discord, use('help'))).toContain('/sessions');
    expect(await whispered(discord, use('model'))).toContain('The model is');
    const sessions = use('sessions');
    expect(await whispered(discord, sessions)).toContain('Recent sessions');
    expect(JSON.stringify(discord.ephemeralRepliesTo(sessions)[0]?.['components'])).toContain('about soup');
    expect(await whispered(discord, discord.useCommand({ from: stranger, name: 'status' }))).toContain(
      'allow list',
    );
    expect(discord.visible()).toHaveLength(1);
  });

  it('acknowledges a button before it carries out the decision [channels.discord.buttons-first]', async () => {
    const engine = new SteppedEngine();
    let isDecided = false;
    engine.scripts.set('touch', async function* (turn) {
      const decision = await turn.askPermission({ tool: 'Bash', input: { command: 'touch it' } });
      isDecided = true;
      yield* say(`decided: ${decision.behavior}`);
    });
    const { discord, ...bot } = await startBot({ engine, settings: { permissionMode: 'ask' } });
    const card = await ask({ discord, ...bot }, 'touch');
    const customId = card.components[0]?.components[0]?.custom_id ?? '';
    const token = discord.pressButton({ from: petra, message: card, customId });
    let wasDecided: boolean | undefined;
    await discord.until(() => {
      // Checked when a call arrives, before it is answered.
      const isCalled = discord.calls.some(({ path }) => path.endsWith('/callback'));
      if (isCalled) wasDecided ??= isDecided;
      return isCalled;
    }, AbortSignal.timeout(60_000));
    expect(wasDecided).toBe(false);
    expect((await answers(discord, 2))[1]?.content).toBe('decided: allow');
    expect(discord.callbackOf(token)).toEqual({ type: 6 });
    expect(discord.ephemeralRepliesTo(token)).toEqual([]);
  });

  it.each(['claude-code', 'messages-api'] as const)(
    'lists in a channel only the sessions of that channel, with the engine %s [channels.session.group-is-closed]',
    async (engine) => {
      const bot = await startBot({ engine: new SteppedEngine(engine) });
      await ask(bot, 'a direct secret', direct);
      await ask(bot, 'in public');
      const labels = async (channel: typeof direct | typeof bot.discord.general) =>
        (await ask(bot, '/sessions', channel)).components.flatMap(({ components }) =>
          components.map(({ label }) => label),
        );
      expect(await labels(bot.discord.general)).toEqual(['✓ in public']);
      expect(await labels(direct)).toEqual(['in public', '✓ a direct secret']);
    },
  );

  it('asks with buttons, and shows the outcome', async () => {
    const engine = new SteppedEngine();
    engine.scripts.set('touch', async function* (turn) {
      const decision = await turn.askPermission({ tool: 'Bash', input: { command: 'touch it' } });
      yield* say(`decided: ${decision.behavior}`);
    });
    const bot = await startBot({ engine, settings: { permissionMode: 'ask' } });
    bot.discord.inject({ author: petra, content: 'touch' });
    const [card] = await answers(bot.discord, 1);
    if (!card) throw new Error('there is no card');
    expect(card.content).toContain('touch it');
    const labels = card.components.flatMap(({ components }) => components.map(({ label }) => label));
    expect(labels).toEqual(['Allow', 'Deny', 'Allow for this session']);
    const customId = card.components[0]?.components[0]?.custom_id ?? '';
    const token = bot.discord.pressButton({ from: petra, message: card, customId });
    expect((await answers(bot.discord, 2))[1]?.content).toBe('decided: allow');
    await bot.discord.until(() => card.components.length === 0, AbortSignal.timeout(60_000));
    expect(card.content).toContain('✅ Allowed');
    // The card shows it to everybody, so the person who pressed gets no extra message.
    expect(bot.discord.callbackOf(token)).toEqual({ type: 6 });
    expect(
      await whispered(bot.discord, bot.discord.pressButton({ from: petra, message: card, customId })),
    ).toBe('This question is no longer open.');
  });

  it('acknowledges a command at once, even behind a picture that downloads slowly', async () => {
    const bot = await startBot();
    const picture = bot.discord.addFile(new Uint8Array(), 'slow.png', 'image/png');
    bot.discord.inject({ author: petra, attachments: [{ ...picture, url: 'http://127.0.0.1:1/slow.png' }] });
    const hasArrived = () => bot.log.some(({ fields }) => fields['event'] === 'inbound');
    await expect.poll(hasArrived).toBe(true);
    const token = bot.discord.useCommand({ from: petra, name: 'new' });
    expect(await whispered(bot.discord, token)).toBe('One moment …');
    const sent = () => bot.discord.calls.filter(({ route }) => route === 'POST /channels/:id/messages');
    expect(sent()).toHaveLength(0);
    expect((await answers(bot.discord, 2))[0]?.content).toContain('could not be downloaded');
  });

  it('does not answer a message again when it is edited [channels.input.edits]', async () => {
    const bot = await startBot();
    const message = bot.discord.inject({ author: petra, content: 'helo' });
    await answers(bot.discord, 1);
    bot.discord.announceEdit({ ...message, content: 'hello' }, '2026-01-01T00:00:00.000Z');
    await ask(bot, 'next');
    expect(bot.discord.visible()).toHaveLength(2);
  });
});
