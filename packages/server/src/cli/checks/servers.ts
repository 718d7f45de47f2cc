// Several servers: do the clocks agree, can all servers reach each other, and do all of them have the same notes?
import { readFile } from 'node:fs/promises';
import { ApiError } from '@parley/client';
import { leaveMark, readMark } from '../../cluster/notes-marks.ts';
import { ServerSignature } from '../../cluster/server-signature.ts';
import { signedHttp } from '../../cluster/signed-http.ts';
import { machineFile, serversFolder } from '../../config/files.ts';
import type { Config } from '../../config/schema.ts';
import { systemClock } from '../../domain/clock.ts';
import { ServerLook } from '../../domain/cluster-health.ts';
import type { Server, ServerRegistry } from '../../domain/server-registry.ts';
import { type Check, type Finding, ok, warning } from './check.ts';

export interface OpenRegistry {
  readonly servers: Pick<ServerRegistry, 'clock' | 'list'>;
  close(): Promise<void>;
}

/** Well below a minute, after which requests between servers expire. */
const maxDifferenceMs = 10_000;

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
        const offset = await clockOffset(registry.servers);
        const own = clockFinding('this machine', offset);
        if (others.length === 0) return [own];
        const folder = serversFolder(config);
        // A machine on which Parley has never run has no name yet.
        const self = { name: machine || 'doctor', isRunning: others.length < running.length };
        const mark = await leaveMark(folder, self.name).catch(() => '');
        const findings = await Promise.all(
          others.map(async (other) => {
            const look = await lookOf(other, self.name, config, signal);
            if (!('machine' in look)) return [look];
            return [
              ok(`${other.machine} answers at ${other.url}`),
              ...wayBack(look, self),
              clockFinding(other.machine, look.time - (systemClock.now() + offset)),
              notesFinding(look, { here: await readMark(folder, other.machine), left: mark }),
            ];
          }),
        );
        return [own, ...findings.flat()];
      } finally {
        await registry.close();
      }
    },
  };
}

/** How far the clock of the database is ahead of this machine's. */
async function clockOffset(registry: Pick<ServerRegistry, 'clock'>): Promise<number> {
  const before = systemClock.now();
  const theirs = await registry.clock();
  return theirs - (before + systemClock.now()) / 2;
}

function clockFinding(whose: string, differenceMs: number): Finding {
  const seconds = Math.round(Math.abs(differenceMs) / 1_000);
  return seconds * 1_000 > maxDifferenceMs
    ? warning(
        `the clocks of ${whose} and the database differ by ${seconds} s`,
        'Have both set their clocks from the network (NTP). Servers refuse requests that look older than a minute.',
      )
    : ok(`the clocks of ${whose} and the database agree`);
}

/** What the other server sees, or why it can't be asked. */
async function lookOf(
  other: Server,
  self: string,
  { clusterSecret, people }: Config,
  signal: AbortSignal,
): Promise<ServerLook | Finding> {
  const [person = ''] = people;
  const signature = new ServerSignature(clusterSecret?.reveal() ?? '', systemClock);
  const actor = { person, scope: { readOnly: true } };
  try {
    const http = signedHttp(other, actor, { signature, fetch: globalThis.fetch });
    return ServerLook.parse(await http.get(`/api/servers?machine=${encodeURIComponent(self)}`, signal));
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
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
}

/** Whether the other server reaches the rest, including the server on this machine if it is running. */
function wayBack(
  { machine, others }: ServerLook,
  self: { readonly name: string; readonly isRunning: boolean },
): Finding[] {
  const unreachable = others
    .filter(({ answers }) => !answers)
    .map((other) =>
      warning(
        `${machine} can't reach ${other.machine}`,
        `Set PARLEY_SERVER_URL on ${other.machine} to an address that the other servers can reach.`,
      ),
    );
  const isBack = self.isRunning && others.some((other) => other.machine === self.name && other.answers);
  return [...(isBack ? [ok(`${machine} reaches this server`)] : []), ...unreachable];
}

/** Each has to find the mark that the other one left. */
function notesFinding(
  { machine, marks }: ServerLook,
  { here, left }: { readonly here: string; readonly left: string },
): Finding {
  const isShared = left !== '' && marks.asking === left && marks.own !== '' && marks.own === here;
  return isShared
    ? ok(`${machine} has the same notes`)
    : warning(
        `${machine} does not have the same notes as this server`,
        'Set PARLEY_VAULT_ROOT on all servers to one folder that all of them can see and change.',
      );
}
