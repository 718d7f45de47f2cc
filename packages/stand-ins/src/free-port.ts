// A port that nothing uses, for a program that has to be told its port.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Something else may take it before it is used, so keep the time in between short. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
