// WebSocket upgrades go through the router like every other request, so the same policy applies to them. An
// authenticated socket is handed to the handler of its route.
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ParleyError, type PersonName } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import type { App } from './app.ts';
import type { OpenRequests } from './streams/open-requests.ts';

/** An upgrade request that has passed the policy. */
interface UpgradeRequest {
  readonly person: PersonName;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Aborts when the login ends or the door closes. */
  readonly signal: AbortSignal;
}

/** Rejects with a ParleyError, which becomes the HTTP response, or resolves with a function that takes the socket. */
export type UpgradeHandler = (request: UpgradeRequest) => Promise<(socket: WebSocket) => void>;

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

export class Upgrades {
  readonly #pending = new WeakMap<IncomingMessage, Upgrade>();
  readonly #server: WebSocketServer;

  constructor(app: App, maxMessageBytes: number) {
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: maxMessageBytes,
      // Compression costs memory per socket, and compressing secrets next to attacker-chosen text leaks them.
      perMessageDeflate: false,
    });
    app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#pending.set(request, { socket, head });
      socket.on('error', () => socket.destroy());
      const response = new ServerResponse(request);
      response.assignSocket(socket as Socket);
      response.shouldKeepAlive = false;
      // Ending our half is not enough: the server allows half-open sockets, and nobody reads this one any more.
      response.once('finish', () => (socket as Socket).resume().destroySoon());
      app.routing(request, response);
    });
  }

  /** Creates the route handler: upgrades the request, or explains that it must be an upgrade. */
  route(requests: OpenRequests, handler: UpgradeHandler) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const upgrade = this.#pending.get(request.raw);
      if (!upgrade || request.headers.upgrade?.toLowerCase() !== 'websocket') throw needsUpgrade(reply);
      const { socket, head } = upgrade;
      const signal = requests.open('websocket', reply, socket);
      const take = await handler({
        person: request.person,
        params: request.params as UpgradeRequest['params'],
        query: request.query as UpgradeRequest['query'],
        signal,
      });
      reply.hijack();
      reply.raw.detachSocket(socket as Socket);
      this.#server.handleUpgrade(request.raw, socket, head, take);
    };
  }
}

function needsUpgrade(reply: FastifyReply): ParleyError {
  reply.header('upgrade', 'websocket');
  return new ParleyError('invalid', 'This address speaks WebSocket. Use a WebSocket client.');
}
