// Why the server did not start, as a sentence that says what to do.
import { ParleyError } from '@parley/protocol';
import type { Config } from '../config/schema.ts';
import { type Probe, probe } from './probe.ts';

export async function startFailure(
  error: unknown,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  if (error instanceof ParleyError) {
    // Whoever has the data most likely has the port too, and is easier to find by it.
    const isHere = error.code === 'conflict' && (await probe(host, port)) === 'parley';
    return isHere ? portTaken(port, 'parley') : `Parley did not start: ${error.message}`;
  }
  const { code, path } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return portTaken(port, await probe(host, port));
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `Parley did not start: this machine has no address ${host}. Set PARLEY_HOST to one that it has, such as 127.0.0.1.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
      if (path === undefined) {
        return `Parley did not start: it may not listen on port ${port}. Choose one above 1023 with --port.`;
      }
      return `Parley did not start: it may not write to ${path}. Set PARLEY_HOME to a folder of your own.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `Parley did not start: ${path} is not a folder that can be used. Set PARLEY_HOME to a folder of your own.`;
    case 'ENOSPC':
      return 'Parley did not start: the disk is full. Make room, or set PARLEY_HOME to a folder on another one.';
    default:
      return `Parley did not start.\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

function portTaken(port: number, by: Probe): string {
  const instead = `start this one with --port ${port < 65_535 ? port + 1 : port - 1}`;
  return by === 'parley'
    ? `Parley did not start: port ${port} is taken by a Parley that is running already. Use that one, stop it, or ${instead}.`
    : `Parley did not start: port ${port} is taken by another program. Stop that one, or ${instead}.`;
}
