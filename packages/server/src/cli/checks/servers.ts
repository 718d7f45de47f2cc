// Several servers: do the clocks agree, can this server reach the others, and do all of them see the same notes?
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { greet } from '../../cluster/greeting.ts';
import { ServerSignature } from '../../cluster/server-signature.ts';
import { machineFile, serversFolder } from '../../config/files.ts';
import type { Config } from '../../config/schema.ts';
import { systemClock } from '../../domain/clock.ts';
import type { Server, ServerRegistry } from '../../domain/server-registry.ts';
import { type Check, type Finding, ok, warning } from './check.ts';

export interface OpenRegistry {
  readonly servers: Pick<ServerRegistry, 'clock' | 'list'>;
  close(): Promise<void>;
}

/** Requests between servers expire after a minute. */
const mostDifferenceMs = 10_000;

/** Finds nothing if the database is a file on this machine. */
export function servers(open: (config: Config) => Promise<OpenRegistry | undefined>): Check {
  return {
    name: 'Servers',
    run: async ({ config, signal }) => {
      const registry = await open(config);
      if (!registry) return [];
      try {
        const machine = (await readFile(machineFile(config), 'utf8').catch(() => '')).trim();
        const running = await registry.servers.list();
        const others = running.filter((server) => server.machine !== machine);
        return [
          await clockOf(registry.servers),
          ...(await Promise.all(others.map((other) => reach(other, config, signal)))),
          ...(await Promise.all(others.map((other) => notesOf(other, config)))),
        ];
      } finally {
        await registry.close();
      }
    },
  };
}

async function clockOf(registry: Pick<ServerRegistry, 'clock'>): Promise<Finding> {
  const before = systemClock.now();
  const theirs = await registry.clock();
  const ours = (before + systemClock.now()) / 2;
  const seconds = Math.round(Math.abs(theirs - ours) / 1_000);
  return seconds * 1_000 > mostDifferenceMs
    ? warning(
        `the clocks of this machine and the database differ by ${seconds} s`,
        'Let both set their clocks from the network (NTP). Servers refuse requests that look older than a minute.',
      )
    : ok('the clocks of this machine and the database agree');
}

async function reach(
  other: Server,
  { clusterSecret, people }: Config,
  signal: AbortSignal,
): Promise<Finding> {
  const [person = ''] = people;
  const signature = new ServerSignature(clusterSecret?.reveal() ?? '', systemClock);
  const status = await greet(other, signature, person, signal);
  if (status === 200) return ok(`${other.machine} answers at ${other.url}`);
  if (status === 401)
    return warning(
      `${other.machine} refuses requests from this server`,
      'Set the same PARLEY_CLUSTER_SECRET on all servers, and check their clocks.',
    );
  return warning(
    `${other.machine} can't be reached at ${other.url}${status === 0 ? '' : ` (status ${status})`}`,
    'Set PARLEY_SERVER_URL on that machine to an address that the other servers can reach.',
  );
}

/** Each server leaves its name in the folder when it starts. */
async function notesOf({ machine }: Server, config: Config): Promise<Finding> {
  const isThere = await stat(join(serversFolder(config), machine)).then(
    () => true,
    () => false,
  );
  return isThere
    ? ok(`${machine} has the same notes`)
    : warning(
        `${machine} does not have the same notes as this server`,
        'Set PARLEY_VAULT_ROOT on all servers to one folder that all of them can see.',
      );
}
