// An HTTP proxy on loopback: forwards HTTP requests, opens tunnels, and records every connection it is asked for.
// Made-up host names lead to loopback services.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { untrustedCertificate } from './certificate.ts';

export interface ProxyStandInOptions {
  /** Where a `host:port` leads, as the `host:port` or URL of a loopback service. Others are refused with 403. */
  readonly routes: Readonly<Record<string, string>>;
  /** `name:password`; without it the proxy answers 407. */
  readonly credentials?: string;
}

export interface ProxyStandIn {
  readonly url: string;
  /** In order: `CONNECT api.example:443` or `GET http://page.example/`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Terminates TLS in tunnels to port 443, with a certificate that nobody trusts. */
export async function startProxyStandIn({ routes, credentials }: ProxyStandInOptions): Promise<ProxyStandIn> {
  const asked: string[] = [];
  const open = new Set<Duplex>();
  const keep = <S extends Duplex>(socket: S): S => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => open.delete(socket));
    return socket;
  };
  const refusal = (headers: IncomingMessage['headers'], target: string): number | undefined => {
    const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    if (expected && headers['proxy-authorization'] !== expected) return 407;
    return routes[target] === undefined ? 403 : undefined;
  };

  const server = createServer((from: IncomingMessage, to: ServerResponse) => {
    asked.push(`${from.method} ${from.url}`);
    const url = new URL(from.url ?? '', 'http://not-absolute.invalid');
    const target = `${url.hostname}:${url.port || 80}`;
    const refused = refusal(from.headers, target);
    if (refused !== undefined) {
      to.writeHead(refused).end();
      return;
    }
    const { 'proxy-authorization': _, ...headers } = from.headers;
    const { method = 'GET' } = from;
    const far = request({ ...addressOf(routes[target]), method, path: url.pathname + url.search, headers });
    far.once('response', (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    far.once('error', () => to.destroy());
    to.once('close', () => far.destroy());
    from.pipe(far);
  });
  server.on('connection', keep);
  server.on('connect', (from: IncomingMessage, near: Duplex, head: Buffer) => {
    const target = from.url ?? '';
    asked.push(`CONNECT ${target}`);
    const refused = refusal(from.headers, target);
    if (refused !== undefined) {
      near.end(`HTTP/1.1 ${refused} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const far = keep(connect(addressOf(ends.has(target) ? encrypted(target) : routes[target])));
    far.once('connect', () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.write(head);
      near.pipe(far).pipe(near);
    });
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });

  // One TLS server for each target, because inside the tunnel the target is no longer visible.
  const ends = new Map<string, { readonly port: number; close(): void }>();
  for (const [target, address] of Object.entries(routes)) {
    if (!target.endsWith(':443')) continue;
    const certificate = untrustedCertificate([target.slice(0, -4)]);
    const end = createTlsServer({ ...certificate, ALPNProtocols: ['http/1.1'] }, (near) => {
      const far = keep(connect(addressOf(address)));
      keep(near).pipe(far).pipe(near);
      near.once('close', () => far.destroy());
      far.once('close', () => near.destroy());
    });
    end.on('tlsClientError', () => undefined);
    ends.set(target, { port: await portOf(end), close: () => end.close() });
  }
  const encrypted = (target: string) => `127.0.0.1:${ends.get(target)?.port}`;

  return {
    url: `http://127.0.0.1:${await portOf(server)}`,
    asked,
    async close() {
      for (const end of ends.values()) end.close();
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function addressOf(address = ''): { readonly host: string; readonly port: number } {
  const url = new URL(/^\w+:\/\//.test(address) ? address : `http://${address}`);
  return { host: url.hostname, port: Number(url.port) };
}

function portOf(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
