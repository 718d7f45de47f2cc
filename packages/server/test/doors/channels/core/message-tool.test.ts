// Who may write to a chat through the message tool: whoever holds the token of that very chat, and nobody else.
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/domain/logger.ts';
import type { ChatAddress } from '../../../../src/doors/channels/core/channel.ts';
import { type MessageTool, openMessageTool } from '../../../../src/doors/channels/core/message-tool.ts';

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
  it('writes to the chat whose token it is given, and to no other', async () => {
    for (const chat of [anna, berta]) expect(await say(await offerTo(chat), `to ${chat.chatId}`)).toBe(200);

    expect(sent).toEqual([
      ['1', 'to 1'],
      ['2', 'to 2'],
    ]);
    expect((await offerTo(anna)).token).not.toBe((await offerTo(berta)).token);
  });

  it('keeps its token where the user of the server alone can read it, until it closes', async () => {
    const { file } = await offerTo(anna);

    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
    await tool.close();
    expect(existsSync(dirname(file))).toBe(false);
  });

  it('refuses everybody else', async () => {
    const offer = await offerTo(anna);
    const { token } = offer;
    const wrong = (token.startsWith('A') ? 'B' : 'A') + token.slice(1);

    expect(await say({ ...offer, token: wrong }, 'Hi')).toBe(401);
    expect(await say({ ...offer, token: '' }, 'Hi')).toBe(401);
    expect(await say(offer, 'Hi', { headers: { authorization: undefined } })).toBe(401);
    // A page in a browser of the same machine, by its origin and by a name that leads here.
    expect(await say(offer, 'Hi', { headers: { origin: 'https://evil.example' } })).toBe(401);
    expect(await say(offer, 'Hi', { headers: { host: 'evil.example' } })).toBe(401);
    expect(await say(offer, 'Hi', { method: 'GET' })).toBe(405);
    expect(await say(offer, 'x'.repeat(300 * 1024))).not.toBe(200);
    expect(sent).toEqual([]);
  });
});

interface Offer {
  readonly file: string;
  readonly url: string;
  readonly token: string;
}

async function offerTo(chat: ChatAddress): Promise<Offer> {
  const file = await tool.mcpConfigFor(chat);
  const { mcpServers } = JSON.parse(await readFile(file, 'utf8')) as {
    mcpServers: { parley: { url: string; headers: { Authorization: string } } };
  };
  const { url, headers } = mcpServers.parley;
  return { file, url, token: headers.Authorization.replace('Bearer ', '') };
}

/** Calls the tool as the program does; resolves with the status, or with nothing when it hangs up. */
function say(
  { url, token }: Offer,
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
