// Asks a port who is there.
import { get } from 'node:http';

export type Probe = 'parley' | 'somebody else' | 'nobody';

/** Looks for a Parley at an address; waits at most two seconds. */
export function probe(host: string, port: number): Promise<Probe> {
  return new Promise((resolve) => {
    const request = get(
      { host: reachable(host), port, path: '/healthz', timeout: 2_000, agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200 || response.statusCode === 503 ? 'parley' : 'somebody else');
      },
    );
    request.on('timeout', () => {
      request.destroy();
      resolve('somebody else');
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ECONNREFUSED' ? 'nobody' : 'somebody else');
    });
  });
}

/** An address at which a server that listens on `host` can be reached from this machine. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
