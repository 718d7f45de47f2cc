// Shared by all services: an HTTP server that only this machine can reach, reading a body up to a limit, and sending
// JSON.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export type LoopbackServer = {
  /** Without a trailing slash, usable as a base URL. */
  readonly url: string;
  readonly port: number;
  /** The Node server, for services that also use WebSocket. */
  readonly server: Server;
  /** Stops listening and ends every open connection. Safe to call twice. */
  close(): Promise<void>;
};

export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

const loopback = '127.0.0.1';

export async function listenOnLoopback(listener: RequestListener, port = 0): Promise<LoopbackServer> {
  const server = createServer({ keepAliveTimeout: 30_000, noDelay: true }, (request, response) => {
    if (URL.canParse(request.url ?? '', `http://${request.headers.host}`)) listener(request, response);
    else response.writeHead(400).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, loopback, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${loopback}:${bound}`,
    port: bound,
    server,
    close: () => (closing ??= closeServer(server)),
  };
}

/** Rejects with `BodyTooLarge` as soon as more than `cap` bytes arrived. */
export async function readBody(request: IncomingMessage, cap: number): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > cap) throw new BodyTooLarge(`the body declares ${declared} bytes, the cap is ${cap}`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > cap) throw new BodyTooLarge(`the body is larger than ${cap} bytes`);
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
}

/** Sends no body if it is undefined. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (body === undefined) response.writeHead(status, headers).end();
  else
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
