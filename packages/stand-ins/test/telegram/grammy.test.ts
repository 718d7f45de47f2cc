// The official grammY, unchanged, against the stand-in.
import { Bot, GrammyError, HttpError } from 'grammy';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTelegramStandIn } from '../../src/telegram/stand-in.ts';

const petra = { id: 1001, is_bot: false, first_name: 'Petra' };

async function start() {
  const telegram = await startTelegramStandIn();
  onTestFinished(() => telegram.close());
  const bot = new Bot(telegram.token, { client: { apiRoot: telegram.url } });
  telegram.inject({ from: petra, fields: { text: 'hello' } });
  return { telegram, bot, api: bot.api };
}

async function refusal(call: Promise<unknown>): Promise<GrammyError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof GrammyError)) throw new Error(`expected a refusal, got ${String(error)}`);
  return error;
}

describe('the stand-in of the Bot API', () => {
  it('serves a whole bot by long polling', async () => {
    const { telegram, bot } = await start();
    bot.on('message:text', (context) => context.reply(`You said: ${context.message.text}`));
    bot.on('callback_query:data', (context) => context.answerCallbackQuery(context.callbackQuery.data));
    const running = bot.start({ timeout: 1 });
    await telegram.until(() => telegram.sent.length === 1, AbortSignal.timeout(60_000));
    telegram.inject({ from: petra, fields: { text: 'again' } });
    await telegram.until(() => telegram.sent.length === 2, AbortSignal.timeout(60_000));
    const [message] = telegram.sent;
    if (!message) throw new Error('nothing was sent');
    telegram.pressButton({ from: petra, message, data: 'pressed' });
    const answer = () => telegram.calls.find(({ method }) => method === 'answerCallbackQuery');
    await telegram.until(() => answer() !== undefined, AbortSignal.timeout(60_000));
    await bot.stop();
    await running;
    expect(telegram.visible(petra.id).map(({ text }) => text)).toEqual([
      'You said: hello',
      'You said: again',
    ]);
    expect(answer()?.payload['text']).toBe('pressed');
    expect(telegram.pendingUpdates).toBe(0);
  });

  it('delivers updates again until a later one is requested', async () => {
    const { telegram, api } = await start();
    const [first] = await api.getUpdates();
    expect((await api.getUpdates()).map(({ update_id: id }) => id)).toEqual([first?.update_id]);
    expect(await api.getUpdates({ offset: (first?.update_id ?? 0) + 1 })).toEqual([]);
    expect(telegram.pendingUpdates).toBe(0);
    expect(telegram.deliveries.get(first?.update_id ?? 0)).toBe(2);
  });

  it('numbers updates by the clock, so that those of the next stand-in are new to a bot', async () => {
    const earliest = Math.floor(Date.now() / 1_000);
    const { telegram } = await start();
    expect(telegram.inject({}).updateId).toBeGreaterThan(earliest);
  });

  it('refuses a group that became a supergroup and returns its new id', async () => {
    const { telegram, api } = await start();
    const group = { id: -5, type: 'group' } as const;
    telegram.inject({ chat: group });
    telegram.upgrade(group, { id: -100_5, type: 'supergroup' });
    const refused = await refusal(api.sendMessage(group.id, 'hello'));
    expect(refused.description).toBe('Bad Request: group chat was upgraded to a supergroup chat');
    expect(refused.parameters.migrate_to_chat_id).toBe(-100_5);
  });

  it('lets only one bot wait for updates', async () => {
    const { telegram, api } = await start();
    const [first] = await api.getUpdates();
    const offset = (first?.update_id ?? 0) + 1;
    const waiting = refusal(api.getUpdates({ offset, timeout: 10 }));
    await telegram.until(() => telegram.calls.length === 2, AbortSignal.timeout(60_000));
    expect(await api.getUpdates({ offset })).toEqual([]);
    expect((await waiting).error_code).toBe(409);
  });

  it.each([
    ['<b>open', `can't parse entities: Can't find end tag corresponding to start tag "b"`],
    [
      '<b><i>x</b></i>',
      `can't parse entities: Unmatched end tag at byte offset 7, expected "</i>", found "</b>"`,
    ],
    ['<h1>x</h1>', `can't parse entities: Unsupported start tag "h1" at byte offset 0`],
    ['a < b', `can't parse entities: Unclosed start tag at byte offset 2`],
    ['</b>', `can't parse entities: Unexpected end tag at byte offset 0`],
    ['   ', 'message text is empty'],
    ['x'.repeat(4_097), 'message is too long'],
  ])('refuses what the service refuses: %s', async (text, reason) => {
    const { api } = await start();
    const error = await refusal(api.sendMessage(petra.id, text, { parse_mode: 'HTML' }));
    expect([error.error_code, error.description]).toEqual([400, `Bad Request: ${reason}`]);
  });

  it('turns markup into entities, and counts the limit without it', async () => {
    const { telegram, api } = await start();
    await api.sendMessage(petra.id, '<b>bold</b> <pre><code class="language-ts">a &lt; b</code></pre>', {
      parse_mode: 'HTML',
    });
    expect(telegram.sent[0]).toMatchObject({
      text: 'bold a < b',
      entities: [
        { type: 'bold', offset: 0, length: 4 },
        { type: 'pre', offset: 5, length: 5, language: 'ts' },
      ],
    });
    await api.sendMessage(petra.id, `<b>${'x'.repeat(4_096)}</b>`, { parse_mode: 'HTML' });
  });

  it("allows edits of the bot's own messages only", async () => {
    const { api } = await start();
    const { message_id: own } = await api.sendMessage(petra.id, 'one');
    expect((await refusal(api.editMessageText(petra.id, own, 'one'))).description).toContain(
      'message is not modified',
    );
    await api.editMessageText(petra.id, own, 'two');
    expect((await refusal(api.editMessageReplyMarkup(petra.id, own))).description).toContain(
      'message is not modified',
    );
    expect((await refusal(api.editMessageText(petra.id, 1, 'x'))).description).toContain(
      "message can't be edited",
    );
    expect((await refusal(api.editMessageText(petra.id, 999, 'x'))).description).toContain(
      'message to edit not found',
    );
    await api.deleteMessage(petra.id, own);
    expect((await refusal(api.deleteMessage(petra.id, own))).description).toContain(
      'message to delete not found',
    );
  });

  it('refuses unknown chats, blocked ones, long button data and foreign tokens', async () => {
    const { telegram, api } = await start();
    expect((await refusal(api.sendMessage(42, 'x'))).description).toContain('chat not found');
    const keyboard = { inline_keyboard: [[{ text: 'a', callback_data: 'x'.repeat(65) }]] };
    const long = await refusal(api.sendMessage(petra.id, 'x', { reply_markup: keyboard }));
    expect(long.description).toContain('BUTTON_DATA_INVALID');
    telegram.block(petra.id);
    expect((await refusal(api.sendMessage(petra.id, 'x'))).error_code).toBe(403);
    const other = new Bot('1:other', { client: { apiRoot: telegram.url } });
    expect((await refusal(other.api.getMe())).error_code).toBe(401);
  });

  it('plays flood waits and broken connections on request', async () => {
    const { telegram, api } = await start();
    telegram.failNext('sendMessage', { kind: 'flood', seconds: 7 }, { kind: 'cut' }, { kind: 'cut-after' });
    const flood = await refusal(api.sendMessage(petra.id, 'one'));
    expect([flood.error_code, flood.parameters.retry_after]).toEqual([429, 7]);
    await expect(api.sendMessage(petra.id, 'two')).rejects.toBeInstanceOf(HttpError);
    await expect(api.sendMessage(petra.id, 'three')).rejects.toBeInstanceOf(HttpError);
    await api.sendMessage(petra.id, 'four');
    expect(telegram.sent.map(({ text }) => text)).toEqual(['three', 'four']);
  });

  it('numbers private chats together and supergroups separately', async () => {
    const { telegram, api } = await start();
    const group = { id: -100_1, type: 'supergroup', title: 'Group' } as const;
    expect(telegram.inject({ from: petra, chat: group, fields: { text: 'x' } }).messageId).toBe(1);
    telegram.inject({ from: { ...petra, id: 7 }, fields: { text: 'x' } });
    expect((await api.sendMessage(petra.id, 'x')).message_id).toBe(3);
    expect((await api.sendMessage(group.id, 'x')).message_id).toBe(2);
  });

  it('serves files', async () => {
    const { telegram, api } = await start();
    const id = telegram.addFile(Buffer.from('bytes'));
    const { file_path: path } = await api.getFile(id);
    const response = await fetch(`${telegram.url}/file/bot${telegram.token}/${path}`);
    expect(await response.text()).toBe('bytes');
    expect((await refusal(api.getFile('unknown'))).error_code).toBe(400);
  });
});
