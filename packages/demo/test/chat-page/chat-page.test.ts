// The page that imitates both services: what it accepts, from which addresses, and what it shows.
import { describe, expect, it, onTestFinished } from 'vitest';
import { runsOfEntities, runsOfMarkdown } from '../../src/chat-page/runs.ts';
import { type ChatPage, startChatPage } from '../../src/index.ts';

async function start(): Promise<ChatPage> {
  const page = await startChatPage();
  onTestFinished(() => page.close());
  return page;
}

type CallbackQuery = { readonly id: string; readonly data: string };

const post = (page: ChatPage, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${page.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: page.url, ...headers },
    body: JSON.stringify(body),
  });

async function firstView(page: ChatPage) {
  const left = new AbortController();
  const { body } = await fetch(`${page.url}/events`, { signal: left.signal });
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes('\n\n')) break;
  }
  left.abort();
  const [first = ''] = text.split('\n\n');
  return JSON.parse(first.replace(/^data: /, '')) as Record<
    'telegram' | 'discord',
    { readonly messages: readonly { readonly isOwn: boolean; readonly runs: readonly { text: string }[] }[] }
  >;
}

describe('the chat page', () => {
  it('delivers what is typed to the services and shows both sides', async () => {
    const page = await start();
    expect((await post(page, '/say', { service: 'telegram', text: 'hello' })).status).toBe(200);
    expect((await post(page, '/say', { service: 'discord', text: 'hi <b>' })).status).toBe(200);
    expect(page.telegram.updates.pending).toHaveLength(1);
    expect(page.discord.messages.map(({ content, author }) => [content, author.id])).toEqual([
      ['hi <b>', page.senderId],
    ]);
    const { telegram, discord } = await firstView(page);
    expect(telegram.messages).toMatchObject([{ isOwn: true, runs: [{ text: 'hello' }] }]);
    expect(discord.messages).toMatchObject([{ isOwn: true, runs: [{ text: 'hi <b>' }] }]);
  });

  it('delivers pictures to the services with their text', async () => {
    const page = await start();
    const picture = `data:image/png;base64,${Buffer.from('a dot').toString('base64')}`;
    for (const service of ['telegram', 'discord'])
      expect((await post(page, '/say', { service, text: 'What is it?', picture })).status).toBe(200);
    const [attachment] = page.discord.messages[0]?.attachments ?? [];
    expect(await (await fetch(attachment?.url ?? '')).text()).toBe('a dot');
    expect(attachment?.content_type).toBe('image/png');
    const { telegram, discord } = await firstView(page);
    for (const { messages } of [telegram, discord])
      expect(messages[0]?.runs.map(({ text }) => text)).toEqual(['A picture', 'What is it?']);
    expect(
      (await post(page, '/say', { service: 'discord', picture: 'data:text/html;base64,AA==' })).status,
    ).toBe(400);
  });

  it('shows an answer from an earlier run before anybody has written', async () => {
    const page = await start();
    const { status } = await fetch(`${page.telegram.url}/bot${page.telegram.token}/sendMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chat_id: page.senderId, text: 'Here it is.' }),
    });
    expect(status).toBe(200);
    expect((await firstView(page)).telegram.messages).toMatchObject([{ runs: [{ text: 'Here it is.' }] }]);
  });

  it('answers each pressed button with what the bot said to it', async () => {
    const page = await start();
    const call = async (method: string, body: unknown) => {
      const response = await fetch(`${page.telegram.url}/bot${page.telegram.token}/${method}`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      return ((await response.json()) as { readonly result: unknown }).result;
    };
    const sent = await call('sendMessage', { chat_id: page.senderId, text: 'Which one?' });
    const { message_id: messageId } = sent as { readonly message_id: number };
    const press = async (data: string): Promise<unknown> =>
      (await post(page, '/press', { service: 'telegram', messageId, data })).json();
    const pressed = [press('first'), press('second')];
    const updates = () => page.telegram.updates.pending as readonly { callback_query?: CallbackQuery }[];
    await expect.poll(updates, { timeout: 60_000 }).toHaveLength(2);
    for (const { callback_query: query } of updates().toReversed())
      await call('answerCallbackQuery', { callback_query_id: query?.id, text: `You chose ${query?.data}.` });
    expect(await Promise.all(pressed)).toEqual([{ text: 'You chose first.' }, { text: 'You chose second.' }]);
  });

  it('accepts requests from its own address only', async () => {
    const page = await start();
    const body = { service: 'discord', text: 'rm -rf /' };
    expect((await post(page, '/say', body, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(page, '/say', body, { origin: 'null' })).status).toBe(403);
    expect(page.discord.messages).toEqual([]);
  });

  it('allows only its own scripts', async () => {
    const page = await start();
    const response = await fetch(page.url);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const html = await response.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)/);
    expect(html).not.toMatch(/\son\w+=|\sstyle=|https?:\/\//);
    for (const path of ['/page.css', '/page.js']) expect((await fetch(page.url + path)).status).toBe(200);
  });

  it('reports what is wrong with a request', async () => {
    const page = await start();
    expect((await post(page, '/say', { service: 'discord', text: ' ' })).status).toBe(400);
    expect((await post(page, '/say', { service: 'icq', text: 'hello' })).status).toBe(400);
    expect((await post(page, '/press', { service: 'discord', messageId: '1', data: 'x' })).status).toBe(404);
    expect((await fetch(`${page.url}/nothing`)).status).toBe(404);
  });
});

describe('the text of messages', () => {
  it('is split where its look changes', () => {
    const entities = [
      { type: 'bold', offset: 0, length: 4 },
      { type: 'italic', offset: 2, length: 4 },
    ];
    expect(runsOfEntities('abcdefg', entities)).toEqual([
      { text: 'ab', looks: ['bold'] },
      { text: 'cd', looks: ['bold', 'italic'] },
      { text: 'ef', looks: ['italic'] },
      { text: 'g', looks: [] },
    ]);
    expect(runsOfMarkdown('# Hi\n**a** `b`\n```ts\nlet c;\n```')).toEqual([
      { text: 'Hi\n', looks: ['heading'] },
      { text: 'a', looks: ['bold'] },
      { text: ' ', looks: [] },
      { text: 'b', looks: ['code'] },
      { text: '\n', looks: [] },
      { text: 'let c;\n', looks: ['pre'] },
    ]);
  });
});
