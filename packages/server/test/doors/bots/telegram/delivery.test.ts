// Every answer arrives once and complete, whatever Telegram and the network do.
import { ParleyError } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { NewAnswer } from '../../../../src/domain/outbox.ts';
import type { Destination } from '../../../../src/doors/bots/core/answer-delivery.ts';
import { splitText } from '../../../../src/doors/bots/core/split-text.ts';
import { failToReceive, freshFolder, SteppedEngine, say } from '../harness.ts';
import { answers, ask, freshTelegram, petra, startBot } from './harness.ts';

function saying(text: string): SteppedEngine {
  const engine = new SteppedEngine();
  engine.scripts.set('go', async function* () {
    yield* say(text);
  });
  return engine;
}

describe('an answer', () => {
  it.each([
    [
      'paragraphs',
      Array.from({ length: 900 }, (_, index) => `Paragraph ${index} ${'of words '.repeat(12)}`).join('\n\n'),
    ],
    [
      'code',
      `Look:\n\n\`\`\`ts\n${Array.from({ length: 1_500 }, (_, index) => `const v${index} = ${index};`).join('\n')}\n\`\`\`\nDone.`,
    ],
    [
      'a table',
      `| n | word |\n|---|---|\n${Array.from({ length: 500 }, (_, index) => `| ${index} | word ${index} |`).join('\n')}`,
    ],
    ['emoji', Array.from({ length: 3_000 }, (_, index) => `👩‍👩‍👧‍👦${index}`).join(' ')],
    ['right to left', Array.from({ length: 2_000 }, (_, index) => `שלום ${index} مرحبا`).join(' ')],
    ['no place to split', 'x'.repeat(10_000)],
  ])(
    'over 4,096 characters arrives complete and in order: %s [channels.telegram.long-answers]',
    async (_, text) => {
      const expected = splitText(text, 4_096).length;
      const bot = await startBot({ engine: saying(text) });
      bot.telegram.inject({ from: petra, fields: { text: 'go' } });
      const seen = await answers(bot.telegram, expected);
      expect(seen).toHaveLength(expected);
      const words = (whole: string) => whole.replaceAll(/```\w*|\s+/g, '');
      expect(words(seen.map((message) => message.text).join(''))).toBe(words(text));
      expect(seen.every((message) => message.text.length <= 4_096)).toBe(true);
    },
  );

  it('is formatted for Telegram', async () => {
    const bot = await startBot({ engine: saying('**Fine**, see `a < b`.') });
    const message = await ask(bot, 'go');
    expect(message.text).toBe('Fine, see a < b.');
    expect(message.entities.map(({ type }) => type)).toEqual(['bold', 'code']);
  });

  it('is sent as plain text when Telegram rejects its markup', async () => {
    const bot = await startBot({ engine: saying('**Fine**') });
    const description = "Bad Request: can't parse entities: Unsupported start tag";
    bot.telegram.failNext('sendMessage', { kind: 'refuse', code: 400, description });
    const message = await ask(bot, 'go');
    expect([message.text, message.entities]).toEqual(['**Fine**', []]);
  });

  it('is sent in simpler and simpler forms before Parley gives up', async () => {
    const bot = await startBot({ engine: saying('**Fine**') });
    const refuse = { kind: 'refuse', code: 400, description: 'Bad Request: not like this' } as const;
    bot.telegram.failNext('sendMessage', refuse, refuse);
    const chat = { id: -5, type: 'group' } as const;
    bot.telegram.inject({ chat, from: petra, fields: { text: 'go' } });
    const [message] = await answers(bot.telegram, 1, chat.id);
    expect(message).toMatchObject({ text: '**Fine**', replyTo: undefined });
    const attempts = bot.telegram.calls.filter(({ method }) => method === 'sendMessage');
    expect(
      attempts.map(({ payload }) => [payload['reply_parameters'] !== undefined, payload['parse_mode']]),
    ).toEqual([
      [true, 'HTML'],
      [false, 'HTML'],
      [false, undefined],
    ]);
  });

  it('waits as long as Telegram asks, and then arrives', async () => {
    const bot = await startBot({ engine: saying('at last') });
    bot.telegram.failNext('sendMessage', { kind: 'flood', seconds: 1 }, { kind: 'flood', seconds: 1 });
    await ask(bot, 'go');
    const attempts = bot.telegram.calls.filter(({ method }) => method === 'sendMessage').map(({ at }) => at);
    expect(attempts).toHaveLength(3);
    expect((attempts[1] ?? 0) - (attempts[0] ?? 0)).toBeGreaterThanOrEqual(990);
    expect((attempts[2] ?? 0) - (attempts[1] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('is sent again when the connection broke before it arrived', async () => {
    const bot = await startBot({ engine: saying('at last') });
    bot.telegram.failNext(
      'sendMessage',
      { kind: 'cut' },
      { kind: 'cut' },
      { kind: 'refuse', code: 502, description: 'Bad Gateway' },
    );
    expect((await ask(bot, 'go')).text).toBe('at last');
    await bot.stop();
    expect(bot.telegram.visible(petra.id).map(({ text }) => text)).toEqual(['at last']);
  });

  it('is not sent again when the connection broke after it arrived', async () => {
    const bot = await startBot({ engine: saying('once') });
    bot.telegram.failNext('sendMessage', { kind: 'cut-after' });
    bot.telegram.inject({ from: petra, fields: { text: 'go' } });
    bot.telegram.inject({ from: petra, fields: { text: 'next' } });
    const signal = AbortSignal.timeout(60_000);
    await bot.telegram.until(
      () => bot.telegram.visible(petra.id).some(({ text }) => text === 'You said: next'),
      signal,
    );
    await bot.stop();
    expect(bot.telegram.visible(petra.id).map(({ text }) => text)).toEqual(['once', 'You said: next']);
  });

  it('lets nothing else into its chat until it is clear whether it arrived [channels.telegram.none-lost]', async () => {
    const bot = await startBot({ engine: saying('at last'), backoff: { firstMs: 3_000, longestMs: 3_000 } });
    bot.telegram.failNext('sendMessage', { kind: 'cut' });
    bot.telegram.inject({ from: petra, fields: { text: 'go' } });
    await bot.telegram.until(
      () => bot.telegram.calls.some(({ method }) => method === 'sendMessage'),
      AbortSignal.timeout(60_000),
    );
    bot.telegram.inject({ from: petra, fields: { text: '/help' } });
    const seen = await answers(bot.telegram, 2);
    expect(seen.map(({ text }) => text)).toEqual(['at last', expect.stringContaining('/new')]);
  });

  it('is given up in a chat that is gone', async () => {
    const bot = await startBot({ engine: saying('too late'), allowFrom: ['*'] });
    bot.telegram.inject({ from: { ...petra, id: 7 }, fields: { text: 'go' } });
    bot.telegram.block(7);
    await bot.telegram.until(
      () => bot.telegram.calls.some(({ method }) => method === 'sendMessage'),
      AbortSignal.timeout(60_000),
    );
    expect((await ask(bot, 'go')).text).toBe('too late');
    await expect
      .poll(() =>
        bot.log.some(
          ({ fields, message }) => fields['event'] === 'error' && message.includes('failed to deliver'),
        ),
      )
      .toBe(true);
    await bot.stop();
  });

  it('that was cut off by a stop of the server is reported as cut off, once [channels.telegram.none-lost]', async () => {
    const folder = freshFolder();
    const telegram = await freshTelegram();
    const engine = new SteppedEngine();
    engine.scripts.set('slow', async function* ({ signal }) {
      yield { type: 'text.delta', text: 'half' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const first = await startBot({ folder, telegram, engine });
    const { messageId } = telegram.inject({ from: petra, fields: { text: 'slow' } });
    telegram.inject({ from: petra, fields: { text: 'waiting' } });
    while (engine.turns.length === 0 || telegram.pendingUpdates > 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
    await first.stop();
    await startBot({ folder, telegram });
    const seen = await answers(telegram, 2);
    expect(seen.map(({ text, replyTo }) => [text, replyTo])).toEqual([
      [expect.stringContaining('The server stopped while I was working on this'), messageId],
      ['You said: waiting', undefined],
    ]);
  });
});

describe('receiving', () => {
  it('continues after errors of Telegram and the network, and logs them [channels.error.receive]', async () => {
    const bot = await startBot();
    bot.telegram.failNext(
      'getUpdates',
      { kind: 'cut' },
      { kind: 'refuse', code: 500, description: 'Internal Server Error' },
    );
    expect((await ask(bot, 'hello')).text).toBe('You said: hello');
    await expect.poll(() => bot.log.some(({ message }) => message.includes('failed to receive'))).toBe(true);
    expect(JSON.stringify(bot.log)).not.toContain(bot.telegram.token);
  });

  it('confirms an update only when it is durable', async () => {
    const bot = await startBot();
    failToReceive(bot, 2);
    const { updateId } = bot.telegram.inject({ from: petra, fields: { text: 'hello' } });
    expect((await answers(bot.telegram, 1))[0]?.text).toBe('You said: hello');
    expect(bot.telegram.deliveries.get(updateId)).toBeGreaterThanOrEqual(3);
    expect(bot.telegram.visible(petra.id)).toHaveLength(1);
  });

  it('retries a message that cannot be stored without holding up other chats', async () => {
    const bot = await startBot({ allowFrom: ['1001', '1002'] });
    const { outbox } = bot.store;
    const owe = outbox.owe.bind(outbox);
    let isFull = true;
    Object.assign(outbox, {
      owe: (owed: NewAnswer) =>
        isFull && (owed.address as Destination).chat.chatId === String(petra.id)
          ? Promise.reject(new Error('database or disk is full'))
          : owe(owed),
    });
    const { updateId } = bot.telegram.inject({ from: petra, fields: { text: 'hello' } });
    const isRetried = () => (bot.telegram.deliveries.get(updateId) ?? 0) >= 2;
    await bot.telegram.until(isRetried, AbortSignal.timeout(60_000));
    expect(bot.state.status).toMatchObject({ state: 'running', lastError: null });
    const other = { ...petra, id: 1002 };
    bot.telegram.inject({ from: other, fields: { text: 'hi' } });
    expect((await answers(bot.telegram, 1, other.id))[0]?.text).toBe('You said: hi');
    expect(bot.telegram.visible(petra.id)).toEqual([]);
    isFull = false;
    expect((await answers(bot.telegram, 1))[0]?.text).toBe('You said: hello');
    await bot.telegram.until(() => bot.telegram.pendingUpdates === 0, AbortSignal.timeout(60_000));
  });

  it('says that an answer is not saved when it cannot be [notes.session.full-disk]', async () => {
    const bot = await startBot();
    const together = bot.store.together.bind(bot.store);
    const isFull = new ParleyError('unavailable', 'The disk is full.');
    Object.assign(bot.store, { together: () => Promise.reject(isFull) });
    expect((await ask(bot, 'hello')).text).toMatch(/^You said: hello\n\nThis answer is not saved yet/);
    Object.assign(bot.store, { together });
  });

  it('continues while a photo of another chat is downloading, and confirms it later', async () => {
    const bot = await startBot({ allowFrom: ['1001', '1002'] });
    const file_id = bot.telegram.addFile(Buffer.from('no picture'));
    bot.telegram.failNext('getFile', { kind: 'cut' }, { kind: 'cut' });
    bot.telegram.inject({ from: petra, fields: { photo: [{ file_id }] } });
    await bot.telegram.until(
      () => bot.telegram.calls.some(({ method }) => method === 'getFile'),
      AbortSignal.timeout(60_000),
    );
    const other = { ...petra, id: 1002 };
    bot.telegram.inject({ from: other, fields: { text: 'hello' } });
    await answers(bot.telegram, 1, other.id);
    expect(bot.telegram.visible(petra.id)).toEqual([]);
    expect(bot.telegram.pendingUpdates).toBe(2);
    await answers(bot.telegram, 1);
    await bot.telegram.until(() => bot.telegram.pendingUpdates === 0, AbortSignal.timeout(60_000));
    expect(bot.telegram.visible(other.id)).toHaveLength(1);
  });

  it('logs a refused token, and everything else keeps working', async () => {
    const telegram = await freshTelegram();
    const bot = await startBot({ telegram: { ...telegram, token: '1:wrong' } });
    expect(
      bot.log.some(({ level, message }) => level === 'error' && message.includes('TELEGRAM_BOT_TOKEN')),
    ).toBe(true);
  });
});

describe('a Bot API that misbehaves', () => {
  it('holds up a chat only for a short time when it never answers [channels.telegram.hanging-call]', async () => {
    const bot = await startBot({ callSeconds: 1 });
    bot.telegram.failNext('sendMessage', { kind: 'hang' });
    expect((await ask(bot, 'one')).text).toBe('You said: one');
    expect((await ask(bot, 'two')).text).toBe('You said: two');
    expect(bot.telegram.visible(petra.id).map(({ text }) => text)).toEqual([
      'You said: one',
      'You said: two',
    ]);
  });

  it('is not polled all the time when it answers polls at once [channels.telegram.calm-polling]', async () => {
    const bot = await startBot({ waitSeconds: 0 });
    await ask(bot, 'one');
    const polls = () => bot.telegram.calls.filter(({ method }) => method === 'getUpdates').length;
    const before = polls();
    const startedAt = performance.now();
    await bot.telegram.until(() => polls() >= before + 3, AbortSignal.timeout(60_000));
    expect(performance.now() - startedAt).toBeGreaterThan(1_500);
  });
});
