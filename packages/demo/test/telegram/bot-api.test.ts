// What the service answers to requests that it can't read, and how much it remembers.
import { expect, it, onTestFinished } from 'vitest';
import { startTelegramService } from '../../src/services.ts';
import { Chats } from '../../src/telegram/chats.ts';

it('reports a body that is not JSON', async () => {
  const telegram = await startTelegramService();
  onTestFinished(() => telegram.close());
  const response = await fetch(`${telegram.url}/bot${telegram.token}/getMe`, { method: 'POST', body: '{' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ ok: false, error_code: 400 });
});

it('forgets the oldest messages', () => {
  const chats = new Chats();
  const chat = chats.open({ id: 1, type: 'private' });
  const message = {
    chatId: chat.id,
    threadId: undefined,
    replyTo: undefined,
    isSilent: false,
    text: 'hello',
    entities: [],
    keyboard: undefined,
  };
  for (let count = 0; count <= 20_000; count += 1) chats.send(message, { allowWithoutReply: true });
  expect(chats.sent).toHaveLength(20_000);
  expect(() => chats.remove(chat.id, 1)).toThrow('message to delete not found');
  chats.remove(chat.id, 2);
});
