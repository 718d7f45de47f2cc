// Carries the gateway's WebSocket through a proxy. The library opens its connections itself and takes no agent, so it
// connects to this relay on loopback instead, which passes on every message unchanged.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { BoundedMap } from '../../../basics/bounded-map.ts';
import type { Outgoing } from '../../../basics/outgoing.ts';

/** Discord names a gateway and an address to resume at; old ones are not used again. */
const maxAddresses = 100;
/** Messages that may wait for the far side to connect. A client that waits for the first message sends none. */
const maxWaiting = 100;

export class GatewayRelay {
  readonly #outgoing: Outgoing;
  /** Absent without a proxy. */
  readonly #server: WebSocketServer | undefined;
  /** By secret path, so that no other program on this machine can use the relay. */
  readonly #targets = new BoundedMap<string, string>(maxAddresses);

  private constructor(outgoing: Outgoing, server?: WebSocketServer) {
    this.#outgoing = outgoing;
    this.#server = server;
    server?.on('connection', (near, { url = '' }) => {
      // Any program on this machine can connect, with any path, so the URL may not be valid.
      const [path = '', query = ''] = url.split('?', 2);
      const target = this.#targets.get(path);
      if (target === undefined) near.terminate();
      else this.#carry(near, new URL(`${target.replace(/\/*$/, '/')}?${query}`));
    });
  }

  static async open(outgoing: Outgoing): Promise<GatewayRelay> {
    if (Object.keys(outgoing.variables).length === 0) return new GatewayRelay(outgoing);
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
    await once(server, 'listening');
    return new GatewayRelay(outgoing, server);
  }

  /** The address to connect to instead: one of the relay, or `target` itself if it needs no proxy. */
  addressFor(target: string): string {
    if (!this.#server || this.#outgoing.proxyFor(new URL(target)) === undefined) return target;
    const { port } = this.#server.address() as AddressInfo;
    const path = `/${randomUUID()}`;
    this.#targets.set(path, target);
    return `ws://127.0.0.1:${port}${path}`;
  }

  close(): void {
    for (const client of this.#server?.clients ?? []) client.terminate();
    this.#server?.close();
  }

  #carry(near: WebSocket, target: URL): void {
    const far = new WebSocket(target, { agent: this.#outgoing.agent(target) });
    const waiting: (readonly [RawData, boolean])[] = [];
    near.on('message', (data, isBinary) => {
      if (far.readyState === WebSocket.OPEN) far.send(data, { binary: isBinary });
      else if (waiting.push([data, isBinary]) > maxWaiting) near.terminate();
    });
    far.once('open', () => {
      for (const [data, isBinary] of waiting.splice(0)) far.send(data, { binary: isBinary });
    });
    far.on('message', (data, isBinary) => near.send(data, { binary: isBinary }));
    near.once('close', (code) => end(far, code));
    far.once('close', (code) => end(near, code));
    // A close follows.
    near.on('error', () => undefined);
    far.on('error', () => undefined);
  }
}

/** The code says whether the session can be resumed. Programs may only send 1000, and codes from 3000. */
function end(socket: WebSocket, code: number): void {
  const isOpen = socket.readyState === WebSocket.OPEN;
  if (isOpen && (code === 1000 || code >= 3000)) socket.close(code);
  else socket.terminate();
}
