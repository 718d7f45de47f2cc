// Is the port free?
import { createServer } from 'node:net';
import { probe } from '../probe.ts';
import { broken, type Check, ok } from './check.ts';

export const port: Check = {
  name: 'Port',
  run: async ({ config: { host, port } }) => {
    if (port === 0) return [ok('any free one')];
    const code = await bindError(host, port);
    if (code === undefined) return [ok(`${host}:${port} is free`)];
    if (code !== 'EADDRINUSE') {
      return [
        broken(`${host}:${port} cannot be used (${code})`, 'Set PARLEY_HOST and PARLEY_PORT to others.'),
      ];
    }
    return [
      (await probe(host, port)) === 'parley'
        ? ok(`a Parley is running at ${host}:${port}`)
        : broken(`${host}:${port} is taken by another program`, 'Stop that one, or set PARLEY_PORT.'),
    ];
  },
};

function bindError(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown error'));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
