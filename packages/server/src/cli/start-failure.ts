// Explains why the server did not start, and what to do.
import { ParleyError } from '@parley/protocol';
import type { Config } from '../config/schema.ts';
import { type Probe, probe } from './checks/port.ts';

export async function startFailure(
  error: unknown,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  if (error instanceof ParleyError) {
    // The server that uses the data most likely has the port too, which makes it easier to find.
    const isHere = error.code === 'conflict' && (await probe(host, port)) === 'parley';
    return isHere ? portTaken(port, 'parley') : `Parley did not start: ${error.message}`;
  }
  // By name: importing the class would load the recipe database with every command.
  if (error instanceof Error && error.name === 'RecipeError') return `Parley did not start: ${error.message}`;
  const { code, path } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return portTaken(port, await probe(host, port));
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `Parley did not start: ${host} is not an address of this machine. Set PARLEY_HOST to one of its addresses, such as 127.0.0.1.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
      if (path === undefined) {
        return `Parley did not start: it has no permission to listen on port ${port}. Choose a port above 1023 with --port.`;
      }
      return `Parley did not start: it has no permission to write to ${path}. Set PARLEY_HOME to a folder that you own.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `Parley did not start: ${path} is not a usable folder. Set PARLEY_HOME to a folder that you own.`;
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return 'Parley did not start: the disk is full. Free up space, or set PARLEY_HOME to a folder on another disk.';
    default:
      return `Parley did not start.\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

function portTaken(port: number, by: Probe): string {
  const instead = `use --port ${port < 65_535 ? port + 1 : port - 1}`;
  return by === 'parley'
    ? `Parley did not start: another Parley is already running on port ${port}. Use that one, stop it, or ${instead}.`
    : `Parley did not start: another program is using port ${port}. Stop it, or ${instead}.`;
}
