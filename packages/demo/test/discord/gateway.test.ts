// What the gateway refuses: payloads that it can't decode, and connections from web pages.
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { startDiscordService } from '../../src/services.ts';

async function start() {
  const discord = await startDiscordService();
  onTestFinished(() => discord.close());
  return discord;
}

async function codeAfter(url: string, payload: string): Promise<unknown> {
  const socket = new WebSocket(url);
  onTestFinished(() => socket.terminate());
  await once(socket, 'message');
  const closed = once(socket, 'close');
  socket.send(payload);
  const [code] = await closed;
  return code;
}

describe('the gateway of the Discord service', () => {
  it('closes the connection for a payload that it cannot decode, and keeps running', async () => {
    const { gateway } = await start();
    for (const payload of ['hello', 'null', '']) expect(await codeAfter(gateway.url, payload)).toBe(4002);
    expect(await codeAfter(gateway.url, '{"op":2}')).toBe(4004);
  });

  it('refuses connections from web pages', async () => {
    const { gateway } = await start();
    const socket = new WebSocket(gateway.url, { origin: 'https://evil.example' });
    const [error] = await once(socket, 'error');
    expect(String(error)).toContain('401');
  });
});
