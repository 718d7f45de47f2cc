// WebSocket upgrades go through the router like every other request, so the same policy applies to them. An
// authenticated socket is handed to the handler of its route.
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ParleyError } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ByteAccount, ByteBudget } from '../../basics/byte-budget.ts';
import type { SocketHandler, SocketRequest } from '../socket-request.ts';
import type { App } from './app.ts';
import { tooMuchWaits } from './policy/waiting-bodies.ts';
import type { OpenRequests } from './streams/open-requests.ts';

export interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

export class Upgrades {
  readonly #pending = new WeakMap<IncomingMessage, Upgrade>();
  readonly #memory: ByteBudget;

  constructor(app: App, memory: ByteBudget) {
    this.#memory = memory;
    app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#pending.set(request, { socket, head });
      socket.on('error', () => socket.destroy());
      const response = new ServerResponse(request);
      response.assignSocket(socket as Socket);
      response.shouldKeepAlive = false;
      // Ending our half is not enough: the server allows half-open sockets, and nobody reads this one.
      response.once('finish', () => (socket as Socket).resume().destroySoon());
      app.routing(request, response);
    });
  }

  /** The socket of an upgrade request; undefined for an ordinary request. */
  find(request: IncomingMessage): Upgrade | undefined {
    return this.#pending.get(request);
  }

  /**
   * Creates the route handler: upgrades the request, or explains that it must be an upgrade. A longer message than
   * `maxMessageBytes` closes the socket.
   */
  route(requests: OpenRequests, handler: SocketHandler, maxMessageBytes: number) {
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: maxMessageBytes,
      // Compression costs memory per socket, and compressing secrets next to attacker-chosen text leaks them.
      perMessageDeflate: false,
    });
    return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const upgrade = this.#pending.get(request.raw);
      if (!upgrade || request.headers.upgrade?.toLowerCase() !== 'websocket') throw needsUpgrade(reply);
      const { socket, head } = upgrade;
      const signal = requests.open('websocket', reply, socket);
      const memory = this.#memory.of(request.person);
      const take = await handler({
        person: request.person,
        actor: request.actor,
        params: request.params as SocketRequest['params'],
        query: request.query as SocketRequest['query'],
        signal,
        memory,
      });
      reply.hijack();
      reply.raw.detachSocket(socket as Socket);
      server.handleUpgrade(request.raw, socket, head, (upgraded) => {
        countArriving(upgraded, socket, memory);
        take(upgraded);
      });
    };
  }
}

/** Counts the bytes of a message until it is complete; its handler counts them from then on. */
function countArriving(socket: WebSocket, connection: Duplex, memory: ByteAccount): void {
  let arrived = 0;
  const forget = (bytes: number) => {
    memory.release(bytes);
    arrived -= bytes;
  };
  // Before the socket's own listener, which may complete the message.
  connection.prependListener('data', (chunk: Buffer) => {
    if (memory.take(chunk.length)) {
      arrived += chunk.length;
      return;
    }
    // Frees the memory at once, to make room for the others.
    socket.close(1013, tooMuchWaits.message);
    socket.terminate();
    forget(arrived);
  });
  socket.on('message', () => forget(arrived));
  // Control frames may come in between: two bytes of header and four of mask.
  for (const control of ['ping', 'pong'] as const)
    socket.on(control, (data: Buffer) => forget(Math.min(arrived, data.length + 6)));
  socket.once('close', () => forget(arrived));
}

function needsUpgrade(reply: FastifyReply): ParleyError {
  reply.header('upgrade', 'websocket');
  return new ParleyError('invalid', 'This address speaks WebSocket. Use a WebSocket client.');
}
