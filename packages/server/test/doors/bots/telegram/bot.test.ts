// The Telegram door with the real gateway: what people see in their chats.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promptText } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { png } from '../../../support/images.ts';
import { freshFolder, gate, SteppedEngine, say } from '../harness.ts';
import { answers, ask, freshTelegram, jpeg, petra, startBot, stranger } from './harness.ts';

describe('a Telegram bot', () => {
  it('answers every message in the chat that it came from [channels.trigger.every-message] [channels.flow.same-chat] [channels.telegram.long-polling] [channels.telegram.send]', async () => {
    const bot = await startBot({ allowFrom: ['1001', '1002'] });
    const other = { ...petra, id: 1002 };
    for (const text of ['one', 'two', 'three']) {
      bot.telegram.inject({ from: petra, fields: { text } });
      bot.telegram.inject({ from: other, fields: { text: `other ${text}` } });
    }
    expect((await answers(bot.telegram, 3, 1001)).map(({ text }) => text)).toEqual([
      'You said: one',
      'You said: two',
      'You said: three',
    ]);
    expect((await answers(bot.telegram, 3, 1002)).map(({ text }) => text)).toEqual([
      'You said: other one',
      'You said: other two',
      'You said: other three',
    ]);
  });

  it('runs the program with the configured model, workspace and full permissions [channels.model.default]', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine, settings: { model: 'claude-opus-4-5' } });
    await ask(bot, 'hello');
    expect(engine.turns[0]?.session).toMatchObject({
      engine: 'claude-code',
      person: 'petra',
      settings: { model: 'claude-opus-4-5', workingDir: bot.folder, permissionMode: 'bypassPermissions' },
    });
    expect(engine.turns[0]?.session.settings['mcpConfig']).toMatch(/\.json$/);
  });

  it('gives each chat and each topic its own session, and continues it [channels.session.per-chat] [channels.flow.resume] [channels.flow.session-kept]', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    const group = { id: -100_500, type: 'supergroup', title: 'Kitchen', is_forum: true } as const;
    const inTopic = (thread: number, text: string) =>
      bot.telegram.inject({
        chat: group,
        from: petra,
        fields: { text, message_thread_id: thread, is_topic_message: true },
      });
    await ask(bot, 'first');
    await ask(bot, 'second');
    inTopic(7, 'in seven');
    inTopic(8, 'in eight');
    const inGroup = await answers(bot.telegram, 2, group.id);
    expect(inGroup.map(({ threadId, text }) => [threadId, text])).toEqual([
      [7, 'You said: in seven'],
      [8, 'You said: in eight'],
    ]);
    const sessionOf = new Map(engine.turns.map(({ prompt, session }) => [promptText(prompt), session.id]));
    expect(sessionOf.get('first')).toBe(sessionOf.get('second'));
    expect(new Set(sessionOf.values()).size).toBe(3);
    await bot.stop();
    expect(JSON.parse(readFileSync(join(bot.folder, 'sessions.json'), 'utf8'))).toEqual({
      'telegram:1001': { sessionId: sessionOf.get('first'), updatedAt: expect.any(String) },
      'telegram:-100500:7': { sessionId: sessionOf.get('in seven'), updatedAt: expect.any(String) },
      'telegram:-100500:8': { sessionId: sessionOf.get('in eight'), updatedAt: expect.any(String) },
    });
  });

  it('continues the session and loses no answer when a group becomes a supergroup', async () => {
    const engine = new SteppedEngine();
    const step = gate();
    engine.scripts.set('wait', async function* () {
      await step.opened;
      yield* say('here it is');
    });
    const bot = await startBot({ engine });
    const group = { id: -5, type: 'group', title: 'Kitchen' } as const;
    const supergroup = { ...group, id: -100_500, type: 'supergroup' } as const;
    bot.telegram.inject({ chat: group, from: petra, fields: { text: 'wait' } });
    await bot.telegram.until(() => engine.turns.length === 1, AbortSignal.timeout(60_000));
    bot.telegram.upgrade(group, supergroup);
    await bot.telegram.until(() => bot.telegram.pendingUpdates === 0, AbortSignal.timeout(60_000));
    step.open();
    const [late] = await answers(bot.telegram, 1, supergroup.id);
    expect(late?.text).toBe('here it is');
    bot.telegram.inject({ chat: supergroup, from: petra, fields: { text: 'go on' } });
    await answers(bot.telegram, 2, supergroup.id);
    expect(new Set(engine.turns.map(({ session }) => session.id)).size).toBe(1);
    const stored = JSON.parse(readFileSync(join(bot.folder, 'sessions.json'), 'utf8')) as object;
    expect(Object.keys(stored)).toEqual(['telegram:-100500']);
  });

  it('continues the session after a restart [channels.store.load-at-start]', async () => {
    const folder = freshFolder();
    const telegram = await freshTelegram();
    const before = new SteppedEngine();
    const first = await startBot({ folder, telegram, engine: before });
    await ask(first, 'before');
    await first.stop();
    const after = new SteppedEngine();
    const second = await startBot({ folder, telegram, engine: after });
    await ask(second, 'after');
    expect(after.turns[0]?.session.id).toBe(before.turns[0]?.session.id);
    const tool = ({ turns }: SteppedEngine) => turns[0]?.session.settings['mcpConfig'];
    expect(tool(after)).not.toBe(tool(before));
  });

  it('runs one turn at a time in a chat, and chats in parallel [channels.flow.side-by-side]', async () => {
    const engine = new SteppedEngine();
    const block = gate();
    engine.scripts.set('slow', async function* () {
      await block.opened;
      yield* say('slow is done');
    });
    const bot = await startBot({ engine, allowFrom: ['1001', '1002'] });
    bot.telegram.inject({ from: petra, fields: { text: 'slow' } });
    bot.telegram.inject({ from: petra, fields: { text: 'next' } });
    bot.telegram.inject({ from: { ...petra, id: 1002 }, fields: { text: 'beside' } });
    expect((await answers(bot.telegram, 1, 1002))[0]?.text).toBe('You said: beside');
    expect(bot.telegram.visible(1001).map(({ text }) => text)).toEqual([]);
    block.open();
    expect((await answers(bot.telegram, 2, 1001)).map(({ text }) => text)).toEqual([
      'slow is done',
      'You said: next',
    ]);
  });

  it('answers fifty chats at once, each in order', async () => {
    const bot = await startBot({ allowFrom: ['*'] });
    const people = Array.from({ length: 50 }, (_, index) => ({ ...petra, id: 5_000 + index }));
    for (const round of ['a', 'b', 'c']) {
      for (const from of people) bot.telegram.inject({ from, fields: { text: `${round} of ${from.id}` } });
    }
    for (const { id } of people) {
      expect((await answers(bot.telegram, 3, id)).map(({ text }) => text)).toEqual(
        ['a', 'b', 'c'].map((round) => `You said: ${round} of ${id}`),
      );
    }
  });

  it('says so when too many messages wait in a chat', async () => {
    const engine = new SteppedEngine();
    const block = gate();
    engine.scripts.set('slow', async function* () {
      await block.opened;
      yield* say('done');
    });
    const bot = await startBot({ engine, queue: 1 });
    for (const text of ['slow', 'waits', 'too many']) bot.telegram.inject({ from: petra, fields: { text } });
    expect((await answers(bot.telegram, 1))[0]?.text).toContain('prompts waiting');
    block.open();
    expect((await answers(bot.telegram, 3)).map(({ text }) => text)).toContain('You said: waits');
  });

  it('puts the message into the summary prompt when it is on [channels.flow.summary-prompt]', async () => {
    const engine = new SteppedEngine();
    const template = 'In {{workspace}}, briefly: {{message}}';
    const bot = await startBot({ engine, settings: { summaryPrompt: { enabled: true, template } } });
    await ask(bot, 'what is $& here?');
    expect(promptText(engine.turns[0]?.prompt ?? [])).toBe(`In ${bot.folder}, briefly: what is $& here?`);
  });

  it('answers a turn that ends without a text [channels.flow.fallback-text]', async () => {
    const engine = new SteppedEngine();
    engine.scripts.set('quiet', async function* () {
      yield { type: 'notice', code: 'nothing', message: 'nothing to say' };
    });
    const bot = await startBot({ engine });
    expect((await ask(bot, 'quiet')).text).toContain('I have nothing to report');
  });

  it('says in a friendly sentence that the model failed [channels.error.model]', async () => {
    const engine = new SteppedEngine();
    engine.scripts.set('fail', async function* () {
      yield { type: 'failed', code: 'unavailable', message: 'The model is overloaded.', recoverable: true };
    });
    const bot = await startBot({ engine });
    const { messageId } = bot.telegram.inject({ from: petra, fields: { text: 'fail' } });
    expect((await answers(bot.telegram, 1))[0]).toMatchObject({
      text: 'Sorry, that did not work. The model is overloaded.',
      replyTo: messageId,
    });
  });

  it('stops a turn after the maximum number of tool rounds [channels.flow.tool-limit]', async () => {
    const engine = new SteppedEngine();
    engine.scripts.set('loop', async function* ({ signal }) {
      for (let round = 0; round < 1_000 && !signal.aborted; round += 1) {
        for (const call of ['a', 'b']) {
          yield { type: 'tool.started', id: `${round}${call}`, tool: 'Read', input: {} };
        }
        for (const call of ['a', 'b']) {
          yield { type: 'tool.ended', id: `${round}${call}`, tool: 'Read', outcome: 'finished' };
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    const bot = await startBot({ engine, settings: { maxToolIterations: 3 } });
    expect((await ask(bot, 'loop')).text).toContain('I stopped after 3 rounds of tool calls');
  });

  it('shows in one message which tools started, finished and failed, and removes it [channels.program.progress]', async () => {
    const engine = new SteppedEngine();
    const [first, second] = [gate(), gate()];
    engine.scripts.set('work', async function* () {
      yield { type: 'tool.started', id: '1', tool: 'Read', input: { file_path: 'notes.md' } };
      await first.opened;
      yield { type: 'tool.ended', id: '1', tool: 'Read', outcome: 'finished' };
      yield { type: 'tool.started', id: '2', tool: 'Bash', input: { command: 'false' } };
      yield { type: 'tool.ended', id: '2', tool: 'Bash', outcome: 'failed' };
      await second.opened;
      yield* say('done');
    });
    const bot = await startBot({ engine });
    bot.telegram.inject({ from: petra, fields: { text: 'work' } });
    const status = () => bot.telegram.sent.find(({ text }) => text.startsWith('Working …'));
    const signal = AbortSignal.timeout(60_000);
    await bot.telegram.until(() => status()?.text.includes('⏳ Read notes.md') === true, signal);
    first.open();
    await bot.telegram.until(() => status()?.text.includes('✗ Bash false') === true, signal);
    expect(status()?.text).toContain('✓ Read notes.md');
    expect(status()?.isSilent).toBe(true);
    second.open();
    await bot.telegram.until(() => status()?.isDeleted === true, signal);
    expect(bot.telegram.visible(petra.id).map(({ text }) => text)).toEqual(['done']);
    expect(bot.telegram.calls.filter(({ method }) => method === 'sendChatAction').length).toBeGreaterThan(0);
  });

  it('logs event, chat and duration, but no text of any message [channels.log.fields] [channels.log.no-secrets]', async () => {
    const engine = new SteppedEngine('messages-api');
    engine.scripts.set('my secret plan', async function* () {
      yield { type: 'tool.started', id: '1', tool: 'Read', input: { file_path: 'secret.md' } };
      yield { type: 'tool.ended', id: '1', tool: 'Read', outcome: 'finished' };
      yield* say('the secret answer');
    });
    const bot = await startBot({ engine });
    await ask(bot, 'my secret plan');
    await bot.stop();
    const line = (event: string) => bot.log.find(({ fields }) => fields['event'] === event)?.fields;
    const where = { channel: 'telegram', conversation: 'telegram:1001' };
    expect(line('inbound')).toMatchObject(where);
    expect(line('tool_call')).toMatchObject({ ...where, tool: 'Read' });
    expect(line('tool_result')).toMatchObject({ ...where, tool: 'Read', durationMs: expect.any(Number) });
    expect(line('outbound')).toMatchObject({ ...where, durationMs: expect.any(Number) });
    const all = JSON.stringify(bot.log);
    expect(all).not.toContain('secret');
    expect(all).not.toContain(bot.telegram.token);
  });

  it('writes a transcript when it is turned on', async () => {
    const bot = await startBot({ transcript: { enabled: true } });
    await ask(bot, 'hello');
    await bot.stop();
    const lines = readFileSync(join(bot.folder, 'transcript.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { conversation: 'telegram:1001', direction: 'inbound', senderId: '1001', text: 'hello' },
      { conversation: 'telegram:1001', direction: 'outbound', text: 'You said: hello' },
    ]);
  });

  it('uses the sender’s own person in a private chat', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine, settings: { people: { '1001': 'sebastian' } } });
    await ask(bot, 'hello');
    expect(engine.turns[0]?.session.person).toBe('sebastian');
  });
});

describe('the allow list of a Telegram bot', () => {
  it('lets nobody in while it is empty, and the log says how to find an id [channels.telegram.allow-list]', async () => {
    const bot = await startBot({ allowFrom: [] });
    bot.telegram.inject({ from: petra, fields: { text: 'hello' } });
    await bot.telegram.until(() => bot.telegram.pendingUpdates === 0, AbortSignal.timeout(60_000));
    expect(bot.telegram.sent).toEqual([]);
    expect(bot.log.map(({ message }) => message).join('\n')).toContain(
      'To find your id, send the bot a message',
    );
    expect(bot.log.some(({ fields }) => fields['senderId'] === '1001' && fields['refused'] === true)).toBe(
      true,
    );
  });

  it('refuses strangers on every path [channels.telegram.allow-list]', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    const { telegram } = bot;
    const channel = { id: -100_900, type: 'channel', title: 'News' } as const;
    const group = { id: -100_901, type: 'supergroup', title: 'Open' } as const;
    telegram.inject({ from: stranger, fields: { text: 'plain' } });
    telegram.inject({
      from: stranger,
      fields: { text: 'forwarded', forward_origin: { type: 'user', sender_user: petra } },
    });
    telegram.inject({ from: stranger, chat: group, fields: { text: 'in a group' } });
    telegram.inject({ from: { ...stranger, is_bot: true }, fields: { text: 'a bot' } });
    telegram.inject({ from: petra, chat: group, fields: { text: 'unnamed admin', sender_chat: group } });
    telegram.injectAs('edited_message', { from: stranger, fields: { text: 'edited' } });
    telegram.injectAs('channel_post', { chat: channel, fields: { text: 'post' } });
    telegram.inject({ from: stranger, fields: { voice: { file_id: 'x' } } });
    telegram.inject({ from: stranger, fields: { text: '/status' } });
    await ask(bot, 'mine');
    expect(engine.turns.map(({ prompt }) => promptText(prompt))).toEqual(['mine']);
    expect(telegram.sent.map(({ text }) => text)).toEqual(['You said: mine']);
  });

  it('lets everybody but bots in with a star, and warns [channels.telegram.allow-list]', async () => {
    const bot = await startBot({ allowFrom: ['*'] });
    bot.telegram.inject({ from: { ...stranger, id: 5, is_bot: true }, fields: { text: 'beep' } });
    bot.telegram.inject({ from: stranger, fields: { text: 'hello' } });
    expect((await answers(bot.telegram, 1, stranger.id))[0]?.text).toBe('You said: hello');
    expect(bot.telegram.sent).toHaveLength(1);
    expect(
      bot.log.some(({ level, message }) => level === 'warn' && message.includes('Anyone who finds')),
    ).toBe(true);
  });

  it('lets a channel in by its own id', async () => {
    const channel = { id: -100_900, type: 'channel', title: 'News' } as const;
    const bot = await startBot({ allowFrom: [String(channel.id)] });
    bot.telegram.injectAs('channel_post', { chat: channel, fields: { text: 'post' } });
    expect((await answers(bot.telegram, 1, channel.id))[0]?.text).toBe('You said: post');
  });
});

describe('a message that is not plain text', () => {
  it.each([
    ['voice', 'Voice messages'],
    ['video', 'Videos'],
    ['sticker', 'Stickers'],
  ])('is answered as unsupported: %s [channels.input.text-only]', async (field, words) => {
    const bot = await startBot();
    bot.telegram.inject({ from: petra, fields: { [field]: { file_id: 'x' } } });
    expect((await answers(bot.telegram, 1))[0]?.text).toContain(`${words} are not supported here`);
  });

  it('is ignored when it is a notice from Telegram itself', async () => {
    const bot = await startBot();
    bot.telegram.inject({ from: petra, fields: { new_chat_members: [petra] } });
    await ask(bot, 'hello');
    expect(bot.telegram.sent).toHaveLength(1);
  });

  it('goes to the model with its caption when it is a photo', async () => {
    const engine = new SteppedEngine();
    engine.scripts.set('what is this?', async function* () {
      yield* say('a picture');
    });
    const bot = await startBot({ engine });
    const pixel = Buffer.from(jpeg, 'base64');
    const file_id = bot.telegram.addFile(pixel);
    bot.telegram.inject({
      from: petra,
      fields: { photo: [{ file_id: 'small' }, { file_id }], caption: 'what is this?' },
    });
    expect((await answers(bot.telegram, 1))[0]?.text).toBe('a picture');
    expect(engine.turns[0]?.prompt).toEqual([
      { type: 'image', mediaType: 'image/jpeg', data: jpeg },
      { type: 'text', text: 'what is this?' },
    ]);
  });

  it('goes to the model as a file, with its name and its caption [app.attachments.bots]', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    const file_id = bot.telegram.addFile(Buffer.from('milk\neggs\n'));
    bot.telegram.inject({
      from: petra,
      fields: {
        document: { file_id, file_name: '../shopping.txt', mime_type: 'text/plain', file_size: 10 },
        caption: 'What is missing?',
      },
    });
    await answers(bot.telegram, 1);
    expect(engine.turns[0]?.prompt).toEqual([
      {
        type: 'file',
        name: 'shopping.txt',
        mediaType: 'text/plain',
        size: 10,
        data: Buffer.from('milk\neggs\n').toString('base64'),
      },
      { type: 'text', text: 'What is missing?' },
    ]);
  });

  it('is refused as a file that is larger than a message may be [app.attachments.bots]', async () => {
    const bot = await startBot();
    const document = { file_id: 'x', file_name: 'film.mkv', file_size: 30_000_000 };
    bot.telegram.inject({ from: petra, fields: { document } });
    expect((await answers(bot.telegram, 1))[0]?.text).toContain('film.mkv is larger than 18.75 MiB');
  });

  it('is refused when it claims to be a picture but is not', async () => {
    const bot = await startBot();
    const file_id = bot.telegram.addFile(Buffer.from('#!/bin/sh'));
    bot.telegram.inject({ from: petra, fields: { photo: [{ file_id }] } });
    expect((await answers(bot.telegram, 1))[0]?.text).toContain('Send a JPEG, PNG, GIF or WebP');
  });

  it('is recognized by its bytes, such as a PNG that is sent as a photo [channels.input.picture-type]', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    const { data } = png(3, 2);
    const file_id = bot.telegram.addFile(Buffer.from(data, 'base64'));
    bot.telegram.inject({ from: petra, fields: { photo: [{ file_id }] } });
    await answers(bot.telegram, 1);
    expect(engine.turns[0]?.prompt).toEqual([{ type: 'image', mediaType: 'image/png', data }]);
  });

  it('is not answered again when it is edited [channels.input.edits]', async () => {
    const bot = await startBot();
    await ask(bot, 'helo');
    bot.telegram.injectAs('edited_message', { from: petra, fields: { text: 'hello' } });
    expect((await ask(bot, 'next')).text).toBe('You said: next');
    expect(bot.telegram.visible(petra.id)).toHaveLength(2);
  });
});
