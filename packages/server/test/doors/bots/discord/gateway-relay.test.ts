// The relay that carries the gateway's WebSocket through a proxy, as other programs on the machine see it.
import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { startProxyStandIn } from '@parley/stand-ins';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createOutgoing } from '../../../../src/basics/outgoing.ts';
import { GatewayRelay } from '../../../../src/doors/bots/discord/gateway-relay.ts';

it('carries only connections that the bot opens, whatever other programs ask for [notes.network.proxy]', async () => {
  const gateway = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(gateway, 'listening');
  const asked: (string | undefined)[] = [];
  gateway.on('connection', (_, { url }) => asked.push(url));
  const { port } = gateway.address() as AddressInfo;
  const proxy = await startProxyStandIn({ routes: { 'gateway.test:80': `127.0.0.1:${port}` } });
  const relay = await GatewayRelay.open(createOutgoing({ all: proxy.url }));
  onTestFinished(async () => {
    relay.close();
    await proxy.close();
    gateway.close();
  });
  const address = relay.addressFor('ws://gateway.test');

  for (const path of ['//', '/', '/?v=10']) await untilRefused(new URL(address).port, path);
  expect(proxy.asked).toEqual([]);

  const bot = new WebSocket(`${address}?v=10&encoding=json`);
  await once(bot, 'open');
  await expect.poll(() => asked).toEqual(['/?v=10&encoding=json']);
  bot.terminate();
});

async function untilRefused(port: string, path: string): Promise<void> {
  const headers = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  };
  const [, socket] = (await once(get({ host: '127.0.0.1', port, path, headers }), 'upgrade')) as [
    unknown,
    Socket,
  ];
  socket.on('error', () => undefined);
  if (!socket.closed) await once(socket.resume(), 'close');
}
