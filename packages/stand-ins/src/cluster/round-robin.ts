// A reverse proxy in front of several servers: every request goes to the next one that is ready. It does what people
// configure Caddy, nginx or HAProxy to do: asks each server whether it is ready, tries the next one if it can't connect,
// and drops connections to a server that has stopped answering.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface RoundRobin {
  readonly url: string;
  close(): Promise<void>;
}

interface Backend {
  readonly url: URL;
  isReady: boolean;
  readonly sockets: Set<Socket>;
}

const checkEveryMs = 500;
const answerMs = 2_000;

export async function startRoundRobin(targets: readonly string[], port = 0): Promise<RoundRobin> {
  const backends = targets.map((url): Backend => ({ url: new URL(url), isReady: true, sockets: new Set() }));
  const clients = new Set<Socket>();
  let turn = 0;

  /** Returns undefined if no server can be reached. */
  async function connectToNext(): Promise<Socket | undefined> {
    turn += 1;
    const inTurn = backends.map((_, index) => backends[(turn + index) % backends.length] as Backend);
    const readyFirst = inTurn.toSorted((a, b) => Number(b.isReady) - Number(a.isReady));
    for (const { url, sockets } of readyFirst) {
      const socket = connect(Number(url.port), url.hostname);
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
      if (await isConnected(socket)) return socket;
    }
    return undefined;
  }

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const socket = await connectToNext();
    if (!socket) return void outgoing.writeHead(502).end('No server is answering.\n');
    const { method = 'GET', url = '/' } = incoming;
    const headers = forwardedHeaders(incoming);
    const sent = request({ createConnection: () => socket, method, path: url, headers });
    outgoing.on('close', () => socket.destroy());
    sent.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    sent.on('response', (response) => {
      const { connection: _, ...passedOn } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, passedOn).flushHeaders();
      pipeline(response, outgoing).catch(() => outgoing.destroy());
    });
    incoming.pipe(sent);
  }

  async function tunnel(incoming: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const socket = await connectToNext();
    if (!socket) return void client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const { method, url } = incoming;
    const headers = Object.entries(forwardedHeaders(incoming)).map(
      ([name, value]) => `${name}: ${String(value)}`,
    );
    socket.write(`${[`${method} ${url} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`);
    socket.write(head);
    await Promise.allSettled([pipeline(client, socket), pipeline(socket, client)]);
  }

  async function check(backend: Backend): Promise<void> {
    const answer = await fetch(new URL('/readyz', backend.url), { signal: AbortSignal.timeout(answerMs) })
      .then(async (response) => {
        await response.arrayBuffer();
        return response.status;
      })
      .catch(() => undefined);
    backend.isReady = answer === 200;
    // A server that says it isn't ready still finishes its open requests.
    if (answer === undefined) for (const socket of backend.sockets) socket.destroy();
  }

  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing));
  server.on('upgrade', (incoming, client, head) => void tunnel(incoming, client, head));
  server.on('connection', (client: Socket) => {
    clients.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => clients.delete(client));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  let isClosed = false;
  const checks = backends.map(async (backend) => {
    while (!isClosed) {
      await check(backend);
      await new Promise((resolve) => setTimeout(resolve, checkEveryMs).unref());
    }
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      isClosed = true;
      server.close();
      for (const socket of clients) socket.destroy();
      await Promise.all([once(server, 'close'), ...checks]);
    },
  };
}

function forwardedHeaders({ headers, socket }: IncomingMessage): Record<string, string | string[]> {
  const passedOn = Object.entries(headers).filter(([name, value]) => name !== 'x-forwarded-for' && value);
  return {
    ...(Object.fromEntries(passedOn) as Record<string, string | string[]>),
    'x-forwarded-for': socket.remoteAddress ?? '',
  };
}

function isConnected(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('close', () => resolve(false));
  });
}
