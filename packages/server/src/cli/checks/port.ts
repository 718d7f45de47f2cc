// Is the port free, and if not, who has it?
import { get } from 'node:http';
import { createServer } from 'node:net';
import { broken, type Check, ok } from './check.ts';

export const port: Check = {
  name: 'Port',
  run: async ({ config: { host, port } }) => {
    if (port === 0) return [ok('any free port')];
    const code = await bindError(host, port);
    if (code === undefined) return [ok(`${host}:${port} is free`)];
    if (code !== 'EADDRINUSE') {
      return [broken(`${host}:${port} can't be used (${code})`, 'Change PARLEY_HOST or PARLEY_PORT.')];
    }
    return [
      (await probe(host, port)) === 'parley'
        ? ok(`Parley is already running at ${host}:${port}`)
        : broken(`another program is using ${host}:${port}`, 'Stop it, or set PARLEY_PORT.'),
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

export type Probe = 'parley' | 'another program' | 'nothing';

/** Finds out what listens at an address; waits at most two seconds. */
export function probe(host: string, port: number): Promise<Probe> {
  return new Promise((resolve) => {
    const request = get(
      { host: reachable(host), port, path: '/healthz', timeout: 2_000, agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200 || response.statusCode === 503 ? 'parley' : 'another program');
      },
    );
    request.on('timeout', () => {
      request.destroy();
      resolve('another program');
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ECONNREFUSED' ? 'nothing' : 'another program');
    });
  });
}

/** The address at which this machine can reach a server that listens on `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
