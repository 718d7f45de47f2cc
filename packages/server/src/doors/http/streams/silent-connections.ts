// Connections without a request yet, such as those browsers open speculatively. Node doesn't count them as idle and
// would wait a minute for each on close.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export class SilentConnections {
  readonly #sockets = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    const forget = ({ socket }: IncomingMessage) => this.#sockets.delete(socket);
    server.on('request', forget).on('upgrade', forget);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
