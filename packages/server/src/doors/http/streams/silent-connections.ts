// Connections that have not asked for anything yet, such as those that browsers open ahead of need. The server does
// not count them as idle and would wait a minute for each when it closes.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export class SilentConnections {
  readonly #sockets = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    const hasSpoken = ({ socket }: IncomingMessage) => this.#sockets.delete(socket);
    server.on('request', hasSpoken).on('upgrade', hasSpoken);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
