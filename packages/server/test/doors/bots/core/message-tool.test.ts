// Only the holder of a chat's token can send messages to it through the message tool.
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/domain/logger.ts';
import type { ChatAddress } from '../../../../src/doors/bots/core/bot.ts';
import { type MessageTool, openMessageTool } from '../../../../src/doors/bots/core/message-tool.ts';

const anna: ChatAddress = { channel: 'telegram', chatId: '1', isPrivate: true };
const berta: ChatAddress = { channel: 'telegram', chatId: '2', isPrivate: true };

let tool: MessageTool;
let sent: [chatId: string, text: string][];
beforeEach(async () => {
  sent = [];
  tool = await openMessageTool(async ({ chatId }, text) => void sent.push([chatId, text]), silentLogger);
});
afterEach(() => tool.close());

describe('the message tool', () => {
  it('sends to the chat that the token belongs to, and to no other', async () => {
    for (const chat of [anna, berta]) expect(await say(await configFor(chat), `to ${chat.chatId}`)).toBe(200);

    expect(sent).toEqual([
      ['1', 'to 1'],
      ['2', 'to 2'],
    ]);
    expect((await configFor(anna)).token).not.toBe((await configFor(berta)).token);
  });

  it('stores its token in a file that only the server’s user can read, until it closes', async () => {
    const { file } = await configFor(anna);

    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
    await tool.close();
    expect(existsSync(dirname(file))).toBe(false);
  });

  it('refuses everybody else', async () => {
    const config = await configFor(anna);
    const { token } = config;
    const wrong = (token.startsWith('A') ? 'B' : 'A') + token.slice(1);

    expect(await say({ ...config, token: wrong }, 'Hi')).toBe(401);
    expect(await say({ ...config, token: '' }, 'Hi')).toBe(401);
    expect(await say(config, 'Hi', { headers: { authorization: undefined } })).toBe(401);
    // A page in a browser on the same machine, recognized by its origin, or by a host name that resolves here.
    expect(await say(config, 'Hi', { headers: { origin: 'https://evil.example' } })).toBe(401);
    expect(await say(config, 'Hi', { headers: { host: 'evil.example' } })).toBe(401);
    expect(await say(config, 'Hi', { method: 'GET' })).toBe(405);
    expect(await say(config, 'x'.repeat(300 * 1024))).not.toBe(200);
    expect(sent).toEqual([]);
  });
});

interface ToolConfig {
  readonly file: string;
  readonly url: string;
  readonly token: string;
}

async function configFor(chat: ChatAddress): Promise<ToolConfig> {
  const file = await tool.mcpConfigFor(chat);
  const { mcpServers } = JSON.parse(await readFile(file, 'utf8')) as {
    mcpServers: { parley: { url: string; headers: { Authorization: string } } };
  };
  const { url, headers } = mcpServers.parley;
  return { file, url, token: headers.Authorization.replace('Bearer ', '') };
}

/** Calls the tool as the program does. Resolves to the status, or undefined when the connection closes. */
function say(
  { url, token }: ToolConfig,
  text: string,
  { method = 'POST', headers = {} }: { method?: string; headers?: Record<string, string | undefined> } = {},
): Promise<number | undefined> {
  const given = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
    ...headers,
  };
  const call = { name: 'message', arguments: { text } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
  return new Promise((resolve) => {
    const asked = request(url, { method, headers: defined(given) }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    asked.on('error', () => resolve(undefined));
    asked.end(method === 'GET' ? undefined : body);
  });
}

function defined(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
  );
}
