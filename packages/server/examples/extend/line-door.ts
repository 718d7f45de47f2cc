// The smallest door: a TCP port where each line is a prompt, and the answer comes back as text. The first line is the
// secret. Everything that a door may do is in the port `Gateway`.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { PersonName } from '@parley/protocol';
import type { Gateway } from '../../src/domain/gateway.ts';

export interface LineDoor {
  readonly port: number;
  close(): Promise<void>;
}

export async function openLineDoor(
  gateway: Gateway,
  person: PersonName,
  isSecret: (line: string) => boolean,
): Promise<LineDoor> {
  const closing = new AbortController();
  const { signal } = closing;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => socket.destroy());
    serve(socket).catch(() => socket.destroy());
  });

  async function serve(socket: Socket): Promise<void> {
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const first = await lines.next();
    if (first.done || !isSecret(first.value)) return void socket.end('no\n');
    const session = await gateway.createSession(person, { engine: 'messages-api', assistant: 'notes' });
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      const { turnId, after } = await gateway.prompt({
        person,
        session: session.id,
        prompt: [{ type: 'text', text: line.value }],
        door: 'line',
        canAsk: false,
      });
      // `after` makes sure that no event of the turn is missed, however fast it was.
      for await (const envelope of gateway.subscribe(person, session.id, { after, signal })) {
        if (envelope.turnId !== turnId) continue;
        if (envelope.event.type === 'text.delta') socket.write(envelope.event.text);
        if (envelope.event.type === 'turn.ended') break;
      }
      socket.write('\n');
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      closing.abort();
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
