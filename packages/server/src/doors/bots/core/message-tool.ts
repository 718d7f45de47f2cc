// The `message` tool: an MCP server on loopback that lets the program send messages to its own chat during a turn.
// Each chat has its own token, so a session cannot reach another chat. The token is in a file that only the server's
// user can read, because everybody on the machine can see the arguments of a program.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BoundedMap } from '../../../basics/bounded-map.ts';
import { readUpTo } from '../../../basics/read-up-to.ts';
import { parseJson } from '../../../content/parse-json.ts';
import type { Logger } from '../../../domain/logger.ts';
import { type ChatAddress, chatKey } from './bot.ts';

export interface MessageTool {
  /** Returns the path of an MCP configuration for sessions of this chat. It is valid until the server stops. */
  mcpConfigFor(chat: ChatAddress): Promise<string>;
  close(): Promise<void>;
}

/** The tool's name in the program. */
export const messageToolName = 'mcp__parley__message';

const largestBody = 256 * 1024;
/** Chats with a token. Beyond that, the least recently requested token expires. */
const maxChats = 10_000;

export async function openMessageTool(
  /** Rejects with a message for the model. */
  send: (chat: ChatAddress, text: string) => Promise<void>,
  logger: Logger,
): Promise<MessageTool> {
  const tokens = new BoundedMap<string, ChatToken>(maxChats);
  const folder = await mkdtemp(join(tmpdir(), 'parley-message-tool-'));
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      logger.warn({ event: 'error', err: error }, 'the message tool failed to answer');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isOurs = request.headers.host === `127.0.0.1:${port}` && request.headers.origin === undefined;
    const chat = isOurs ? chatOf(request.headers.authorization) : undefined;
    if (!chat) return void response.writeHead(401).end();
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
    const body = await readJson(request);
    if (body === undefined) return void response.writeHead(400).end();
    const { answerMcp } = await import('./message-tool-mcp.ts');
    await answerMcp(request, response, body, (text) => send(chat, text));
  }

  function chatOf(authorization: string | undefined): ChatAddress | undefined {
    const given = Buffer.from(authorization?.replace(/^Bearer /, '') ?? '');
    for (const [, { token, chat }] of tokens.entries()) {
      const known = Buffer.from(token);
      if (given.length === known.length && timingSafeEqual(given, known)) return chat;
    }
    return undefined;
  }

  return {
    async mcpConfigFor(chat) {
      const key = chatKey(chat);
      const known = tokens.get(key);
      if (known) return known.file;
      const token = randomBytes(32).toString('base64url');
      const file = join(folder, `${randomBytes(8).toString('hex')}.json`);
      const headers = { Authorization: `Bearer ${token}` };
      const parley = { type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers };
      await writeFile(file, JSON.stringify({ mcpServers: { parley } }), { mode: 0o600, flag: 'wx' });
      tokens.set(key, { token, chat, file });
      return file;
    },
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface ChatToken {
  readonly token: string;
  readonly chat: ChatAddress;
  readonly file: string;
}

/** Undefined when the body is too large or not JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const { bytes, isWhole } = await readUpTo(request, largestBody);
  return isWhole ? parseJson(bytes) : undefined;
}
