// A page that imitates Telegram and Discord for people without a bot token. It delivers what somebody types to the bots
// as the real services would, and shows what the bots send, edit and ask. Listens on loopback only.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DiscordService, startDiscordService } from '../discord/service.ts';
import type { DiscordUser } from '../discord/wire.ts';
import { listenOnLoopback, readBody, sendJson } from '../loopback-server.ts';
import { startTelegramService, type TelegramService } from '../telegram/service.ts';
import type { TelegramUser } from '../telegram/wire.ts';
import { pageHtml } from './page-html.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import { discordView, type SaidMessage, telegramView } from './views.ts';

export type ChatPage = {
  readonly url: string;
  readonly telegram: TelegramService;
  readonly discord: DiscordService;
  /** The id of the person who writes there, in both services. */
  readonly senderId: string;
  close(): Promise<void>;
};

export type ChatPageOptions = {
  readonly port?: number;
  /** The name of the person who writes there. */
  readonly writer?: string;
};

const writerId = 1001;
/** Large enough for a picture. */
const largestBody = 8 * 1024 * 1024;
const longestText = 2_000;
const maxSaid = 200;
const maxReaders = 20;
/** Changes that happen close together are shown together. */
const paceMs = 80;
/** How often to write anyway, so that typing indicators end and closed tabs are noticed. */
const everyMs = 3_000;
/** How long to wait for a reply that only the person sees. Often none comes, because the message shows the outcome. */
const replyMs = 1_000;
const answerMs = 5_000;

export async function startChatPage(options: ChatPageOptions = {}): Promise<ChatPage> {
  const { writer = 'Petra' } = options;
  const telegramUser: TelegramUser = { id: writerId, is_bot: false, first_name: writer };
  const discordUser: DiscordUser = { id: String(writerId), username: writer };
  const telegram = await startTelegramService();
  const discord = await startDiscordService();
  // Open at once, because the bot may still owe an answer from an earlier run.
  telegram.openChat({ id: writerId, type: 'private', first_name: writer });
  const readers = new Set<ServerResponse>();
  const said: SaidMessage[] = [];
  let timer: NodeJS.Timeout | undefined;

  const view = () =>
    JSON.stringify({
      telegram: telegramView(telegram, writerId, said),
      discord: discordView(discord),
    });
  const show = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      const data = readers.size === 0 ? '' : `data: ${view()}\n\n`;
      for (const reader of readers) reader.write(data);
    }, paceMs);
  };
  for (const service of [telegram, discord]) service.changes.listen(show);
  const beat = setInterval(show, everyMs);

  const server = await listenOnLoopback((request, response) => {
    answer(request, response).catch(() => response.destroy());
  }, options.port);
  const hosts = new Set([`127.0.0.1:${server.port}`, `localhost:${server.port}`]);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host = '', origin } = request.headers;
    // Anybody who can write here controls the bots, so other pages and host names are refused.
    const isForeign = !hosts.has(host) || (request.method !== 'GET' && origin !== `http://${host}`);
    if (isForeign)
      return sendJson(
        response,
        403,
        { error: 'This page only accepts requests from its own address.' },
        headers,
      );
    switch (`${request.method} ${request.url}`) {
      case 'GET /':
        return send(response, 'text/html', pageHtml(writer));
      case 'GET /page.css':
        return send(response, 'text/css', pageStyle);
      case 'GET /page.js':
        return send(response, 'text/javascript', pageScript);
      case 'GET /events':
        return listen(response);
      case 'POST /say':
        return sendJson(response, ...say(await readJson(request)), headers);
      case 'POST /press':
        return sendJson(response, ...(await press(await readJson(request))), headers);
      default:
        return sendJson(response, 404, { error: 'Not found.' }, headers);
    }
  }

  function listen(response: ServerResponse): void {
    if (readers.size >= maxReaders)
      return sendJson(response, 503, { error: 'Too many pages are open.' }, headers);
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
    response.write(`data: ${view()}\n\n`);
    readers.add(response);
    response.once('close', () => readers.delete(response));
  }

  function say({ service, text = '', picture }: Body): Answer {
    const isText = typeof text === 'string' && text.length <= longestText;
    const sent = pictureIn(picture);
    if (!isText || (text.trim() === '' && !sent))
      return [400, { error: `Write something, up to ${longestText} characters.` }];
    if (service === 'telegram') sayInTelegram(text, sent);
    else if (service === 'discord') {
      const attachments = sent ? [discord.addFile(sent.bytes, 'picture', sent.type)] : [];
      discord.inject({ author: discordUser, content: text, attachments });
    } else return unknownService;
    show();
    return [200, {}];
  }

  function sayInTelegram(text: string, sent: Picture | undefined): void {
    const document = sent && { file_id: telegram.addFile(sent.bytes), mime_type: sent.type };
    const fields = document ? { document, ...(text !== '' && { caption: text }) } : { text };
    const { messageId } = telegram.inject({ from: telegramUser, fields });
    said.push({ messageId, text, hasPicture: sent !== undefined });
    if (said.length > maxSaid) said.shift();
  }

  async function press({ service, messageId, data }: Body): Promise<Answer> {
    if (typeof data !== 'string') return unknownService;
    if (service === 'telegram') return pressInTelegram(String(messageId), data);
    return service === 'discord' ? pressInDiscord(String(messageId), data) : unknownService;
  }

  async function pressInTelegram(messageId: string, data: string): Promise<Answer> {
    const message = telegram.visible(writerId).find((known) => String(known.messageId) === messageId);
    if (!message) return goneMessage;
    const id = telegram.pressButton({ from: telegramUser, message, data });
    const answered = () =>
      telegram.calls.findLast(
        ({ method, payload }) => method === 'answerCallbackQuery' && payload['callback_query_id'] === id,
      );
    await telegram.changes
      .until(() => answered() !== undefined, AbortSignal.timeout(answerMs))
      .catch(() => undefined);
    return [200, { text: answered()?.payload['text'] }];
  }

  async function pressInDiscord(messageId: string, customId: string): Promise<Answer> {
    const message = discord.visible().find(({ id }) => id === messageId);
    if (!message) return goneMessage;
    const token = discord.pressButton({ from: discordUser, message, customId });
    const reply = () => discord.ephemeralRepliesTo(token)[0]?.['content'];
    await discord.changes
      .until(() => reply() !== undefined, AbortSignal.timeout(replyMs))
      .catch(() => undefined);
    return [200, { text: reply() }];
  }

  return {
    url: server.url,
    telegram,
    discord,
    senderId: discordUser.id,
    async close() {
      clearInterval(beat);
      clearTimeout(timer);
      await Promise.all([server.close(), telegram.close(), discord.close()]);
    },
  };
}

type Body = {
  readonly service?: unknown;
  readonly text?: unknown;
  /** As a data URL. */
  readonly picture?: unknown;
  readonly messageId?: unknown;
  readonly data?: unknown;
};
type Picture = { readonly type: string; readonly bytes: Uint8Array };
type Answer = readonly [status: number, body: Readonly<Record<string, unknown>>];

function pictureIn(address: unknown): Picture | undefined {
  const [, type, data] =
    /^data:(image\/\w+);base64,(.+)$/.exec(typeof address === 'string' ? address : '') ?? [];
  return type === undefined || data === undefined ? undefined : { type, bytes: Buffer.from(data, 'base64') };
}

const unknownService: Answer = [400, { error: 'The service must be telegram or discord.' }];
const goneMessage: Answer = [404, { error: 'That message is gone.' }];

const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

function send(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { ...headers, 'content-type': `${type}; charset=utf-8` });
  response.end(text);
}

async function readJson(request: IncomingMessage): Promise<Body> {
  const value: unknown = JSON.parse((await readBody(request, largestBody)).toString());
  return typeof value === 'object' && value !== null ? value : {};
}
