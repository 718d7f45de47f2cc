// The supported methods of the Bot API, over HTTP.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../loopback-server.ts';
import type { Chats } from './chats.ts';
import { parseHtml } from './html.ts';
import type { UpdateQueue } from './update-queue.ts';
import { badRequest, type InlineKeyboard, Refusal, type TelegramUser } from './wire.ts';

export type TelegramCall = {
  readonly method: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly at: number;
};

export type TelegramFile = { readonly path: string; readonly bytes: Uint8Array };

export type BotApiParts = {
  readonly token: string;
  readonly bot: TelegramUser;
  readonly chats: Chats;
  readonly updates: UpdateQueue;
  readonly files: ReadonlyMap<string, TelegramFile>;
  readonly closing: AbortSignal;
  /** Runs around each call. It may refuse with a `Refusal`; any other error breaks the connection. */
  intercept(call: TelegramCall, proceed: () => Promise<unknown>): Promise<unknown>;
  onCall(call: TelegramCall): void;
  onChange(): void;
};

type Payload = Readonly<Record<string, unknown>>;

const largestBody = 1024 * 1024;

export async function answerBotApi(
  request: IncomingMessage,
  response: ServerResponse,
  parts: BotApiParts,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://loopback');
  const [, prefix = '', token = '', rest = ''] = /^\/(file\/)?bot([^/]+)\/(.+)$/.exec(pathname) ?? [];
  if (token !== parts.token) return send(response, new Refusal(401, 'Unauthorized'));
  if (prefix !== '') return sendFile(response, rest, parts);
  try {
    const payload = await readPayload(request);
    const call: TelegramCall = { method: rest, payload, at: Date.now() };
    parts.onCall(call);
    const proceed = async () => {
      const result = await run(rest, payload, parts, response);
      parts.onChange();
      return result;
    };
    send(response, { ok: true, result: await parts.intercept(call, proceed) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    send(response, error);
  }
}

async function run(
  method: string,
  payload: Payload,
  parts: BotApiParts,
  response: ServerResponse,
): Promise<unknown> {
  const { chats, bot } = parts;
  switch (method) {
    case 'getMe':
      return {
        ...bot,
        can_join_groups: true,
        can_read_all_group_messages: false,
        supports_inline_queries: false,
      };
    case 'getUpdates':
      return getUpdates(payload, parts, response);
    case 'sendMessage':
      return chats.wire(sendMessage(payload, chats), bot);
    case 'editMessageText':
      return chats.wire(
        chats.editText(chatId(payload), messageId(payload), {
          ...parseText(payload),
          keyboard: keyboardOf(payload),
        }),
        bot,
      );
    case 'editMessageReplyMarkup':
      return chats.wire(chats.editKeyboard(chatId(payload), messageId(payload), keyboardOf(payload)), bot);
    case 'deleteMessage':
      chats.remove(chatId(payload), messageId(payload));
      return true;
    case 'getFile':
      return getFile(payload, parts);
    case 'sendChatAction':
    case 'answerCallbackQuery':
    case 'setMyCommands':
    case 'deleteWebhook':
      return true;
    default:
      throw new Refusal(404, 'Not Found: method not found');
  }
}

async function getUpdates(payload: Payload, { updates, closing }: BotApiParts, response: ServerResponse) {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const allowed = payload['allowed_updates'];
  return updates.read(
    {
      offset: numberIn(payload, 'offset') ?? 0,
      limit: numberIn(payload, 'limit') ?? 100,
      timeoutMs: (numberIn(payload, 'timeout') ?? 0) * 1_000,
      allowed: Array.isArray(allowed) ? allowed.map(String) : undefined,
    },
    AbortSignal.any([left.signal, closing]),
  );
}

function sendMessage(payload: Payload, chats: Chats) {
  const reply = payload['reply_parameters'] as
    | { message_id?: number; allow_sending_without_reply?: boolean }
    | undefined;
  return chats.send(
    {
      chatId: chatId(payload),
      threadId: numberIn(payload, 'message_thread_id'),
      replyTo: reply?.message_id,
      isSilent: payload['disable_notification'] === true,
      ...parseText(payload),
      keyboard: keyboardOf(payload),
    },
    { allowWithoutReply: reply?.allow_sending_without_reply === true },
  );
}

function parseText(payload: Payload) {
  const text = payload['text'];
  if (typeof text !== 'string') throw badRequest('message text is empty');
  const mode = payload['parse_mode'];
  if (mode === undefined) return { text: text.trim(), entities: [] };
  if (mode !== 'HTML') throw badRequest(`unsupported parse_mode`);
  const parsed = parseHtml(text);
  // The service trims the text, which shifts the entities.
  const lead = parsed.text.length - parsed.text.trimStart().length;
  return {
    text: parsed.text.trim(),
    entities: parsed.entities.map((entity) => ({ ...entity, offset: Math.max(0, entity.offset - lead) })),
  };
}

function getFile(payload: Payload, { files }: BotApiParts) {
  const id = String(payload['file_id']);
  const file = files.get(id);
  if (!file) throw badRequest('invalid file_id');
  return { file_id: id, file_unique_id: id, file_size: file.bytes.length, file_path: file.path };
}

function sendFile(response: ServerResponse, path: string, { files }: BotApiParts): void {
  const file = [...files.values()].find((known) => known.path === path);
  if (!file) return send(response, new Refusal(404, 'Not Found'));
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': file.bytes.length,
  });
  response.end(file.bytes);
}

async function readPayload(request: IncomingMessage): Promise<Payload> {
  const bytes = await readBody(request, largestBody);
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(bytes.toString()) as Payload;
  } catch {
    throw badRequest('object expected as the request body');
  }
}

function send(response: ServerResponse, answer: Refusal | { ok: true; result: unknown }): void {
  const isRefusal = answer instanceof Refusal;
  const body = isRefusal
    ? {
        ok: false,
        error_code: answer.code,
        description: answer.message,
        ...(answer.parameters && { parameters: answer.parameters }),
      }
    : answer;
  response.writeHead(isRefusal ? answer.code : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function keyboardOf(payload: Payload): InlineKeyboard | undefined {
  return payload['reply_markup'] as InlineKeyboard | undefined;
}

function chatId(payload: Payload): number {
  const id = numberIn(payload, 'chat_id');
  if (id === undefined) throw badRequest('chat_id is empty');
  return id;
}

function messageId(payload: Payload): number {
  const id = numberIn(payload, 'message_id');
  if (id === undefined) throw badRequest('message identifier is not specified');
  return id;
}

function numberIn(payload: Payload, name: string): number | undefined {
  const value = payload[name];
  if (value === undefined || value === '') return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}
