// The `message` tool: an MCP server on loopback through which the program can write to its own chat during a turn.
// A token belongs to one chat, so that no session reaches another's.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../../../domain/logger.ts';
import { type ChatAddress, conversationKey } from './channel.ts';

export interface MessageTool {
  /** The setting that offers the tool to a session of this chat. */
  mcpConfigFor(chat: ChatAddress): Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

/** As the program calls it. */
export const messageToolName = 'mcp__parley__message';

const largestBody = 256 * 1024;

export async function openMessageTool(
  /** Rejects with a sentence for the model. */
  send: (chat: ChatAddress, text: string) => Promise<void>,
  logger: Logger,
): Promise<MessageTool> {
  const tokens = new Map<string, { readonly token: string; readonly chat: ChatAddress }>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      logger.warn({ event: 'error', err: error }, 'the message tool could not answer');
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
    for (const { token, chat } of tokens.values()) {
      const known = Buffer.from(token);
      if (given.length === known.length && timingSafeEqual(given, known)) return chat;
    }
    return undefined;
  }

  return {
    mcpConfigFor(chat) {
      const key = conversationKey(chat);
      const kept = tokens.get(key) ?? { token: randomBytes(32).toString('base64url'), chat };
      tokens.set(key, kept);
      return {
        mcpServers: {
          parley: {
            type: 'http',
            url: `http://127.0.0.1:${port}/mcp`,
            headers: { Authorization: `Bearer ${kept.token}` },
          },
        },
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Undefined for what is too large or no JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}
