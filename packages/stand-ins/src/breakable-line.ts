// A connection between a client and a server that a test can cut and restore.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface BreakableLine {
  readonly url: string;
  /** Breaks all connections and refuses new ones. */
  cut(): void;
  repair(): void;
  close(): Promise<void>;
}

export async function lineTo(server: string): Promise<BreakableLine> {
  const target = Number(new URL(server).port);
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    cut() {
      isCut = true;
      end();
    },
    repair() {
      isCut = false;
    },
    async close() {
      end();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
