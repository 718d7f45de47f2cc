// A reverse proxy that serves Parley below a path, and nothing of it anywhere else.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface SubPathProxy {
  readonly url: string;
  /** Requests outside of the path. There should be none. */
  readonly strays: readonly string[];
  close(): Promise<void>;
}

export async function proxyBelow(path: string, server: string): Promise<SubPathProxy> {
  const target = Number(new URL(server).port);
  const strays: string[] = [];
  const proxy = createServer((incoming, answer) => {
    if (isBelow(incoming)) forward(incoming, answer);
    else {
      strays.push(`${incoming.method} ${incoming.url}`);
      answer.writeHead(404).end();
    }
  });
  proxy.on('upgrade', (incoming, socket: Duplex) => {
    if (isBelow(incoming)) return connectThrough(incoming, socket);
    strays.push(`upgrade ${incoming.url}`);
    socket.destroy();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}${path}`,
    strays,
    async close() {
      proxy.close();
      proxy.closeAllConnections();
      await once(proxy, 'close');
    },
  };

  function isBelow({ url = '' }: IncomingMessage): boolean {
    return url === path || url.startsWith(`${path}/`);
  }

  function forward(incoming: IncomingMessage, answer: ServerResponse): void {
    const onward = request(optionsFor(incoming), (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }

  function connectThrough(incoming: IncomingMessage, socket: Duplex): void {
    const onward = request(optionsFor(incoming));
    onward.on('upgrade', (reply, far) => {
      const headers = Object.entries(reply.headers).map(([name, value]) => `${name}: ${String(value)}`);
      socket.write(['HTTP/1.1 101 Switching Protocols', ...headers, '', ''].join('\r\n'));
      for (const [from, to] of [
        [far, socket],
        [socket, far],
      ] as const) {
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
      }
    });
    onward.on('response', () => socket.destroy());
    onward.on('error', () => socket.destroy());
    onward.end();
  }

  /** Strips the path, as most proxies do, and keeps the host that the browser uses. */
  function optionsFor({ url = '', method, headers }: IncomingMessage) {
    return {
      host: '127.0.0.1',
      port: target,
      method: method ?? 'GET',
      path: url.slice(path.length) || '/',
      headers: { ...headers, 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'http' },
    };
  }
}
