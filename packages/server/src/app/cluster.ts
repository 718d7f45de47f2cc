// Builds what makes a server one of several: its lease, the sessions that it owns, and the way to the other servers.
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ParleyError, type PersonName } from '@parley/protocol';
import { Counter, Gauge, type Registry } from 'prom-client';
import { createClusterGateway } from '../cluster/cluster-gateway.ts';
import { greet } from '../cluster/greeting.ts';
import { runOnOneServer } from '../cluster/on-one-server.ts';
import { OwnedSessions } from '../cluster/owned-sessions.ts';
import { createRemoteGateway } from '../cluster/remote-gateway.ts';
import { ServerLease } from '../cluster/server-lease.ts';
import { ServerSignature } from '../cluster/server-signature.ts';
import { startSweeper } from '../cluster/sweeper.ts';
import { systemClock } from '../domain/clock.ts';
import type { Gateway } from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import type { OtherServer } from '../domain/ownership.ts';
import type { ServerRegistry } from '../domain/server-registry.ts';
import { systemTimers as timers } from '../domain/timers.ts';
import type { RunningGateway } from '../gateway/gateway.ts';
import { machineName } from './machine-name.ts';

export interface ClusterSetup {
  /** Of this server, new with every start. */
  readonly id: string;
  readonly registry: ServerRegistry;
  /** If one of these is absent, this must be the only server. */
  readonly secret: string | undefined;
  /** Any person, to greet the other servers with. */
  readonly person: PersonName;
  /** Where the others reach this server. */
  readonly url: string | undefined;
  /** Has the name of this machine. */
  readonly machineFile: string;
  /** In the notes, for the doctor of the other servers. */
  readonly serversFolder: string;
  /** Turns get this long to end by themselves when the server stops. */
  readonly drainMs: number;
  readonly metrics: Registry;
  readonly logger: Logger;
}

export type Cluster = Awaited<ReturnType<typeof openCluster>>;

export async function openCluster({ registry, secret, url, metrics, logger, ...setup }: ClusterSetup) {
  const isAlone = secret === undefined || url === undefined;
  const machine = await machineName(setup.machineFile);
  const server = { id: setup.id, machine, url: isAlone ? '' : url };
  const signature = new ServerSignature(secret ?? randomUUID(), systemClock);
  const counts = clusterMetrics(metrics, {
    leaseAge: () => lease.age,
    owned: () => owned.size,
    servers: async () => (await registry.list()).length,
  });
  const owned = new OwnedSessions({ registry, server, timers, logger, onTakeover: counts.takeover });
  const lease = new ServerLease({
    registry,
    server,
    timers,
    logger,
    onLost: () => owned.leaseLost(),
    onRegained: () => owned.leaseRegained(),
  });
  let isDraining = false;
  let stopSweeper = () => {};

  /** Rejects if one of them has another secret. */
  async function greetOthers(): Promise<void> {
    const others = (await registry.list()).filter((other) => other.machine !== machine && other.url !== '');
    const soon = AbortSignal.timeout(greetingMs);
    const greetings = others.map(async (other) => ({
      other,
      status: await greet(other, signature, setup.person, soon),
    }));
    for (const { other, status } of await Promise.all(greetings)) {
      if (status === 401) throw otherSecret(other);
      if (status !== 200) logger.warn({ url: other.url, status }, 'another server does not answer');
    }
  }

  return {
    ownership: owned,
    /** Recognizes the other servers. */
    servers: signature,
    isReady: () => lease.isHeld && !isDraining,

    /** What the doors use. */
    gatewayOver: (local: Gateway): Gateway =>
      createClusterGateway({
        local,
        reach: (other) =>
          createRemoteGateway({ server: other, signature, fetch: globalThis.fetch, timers, local }),
        timers,
        newId: randomUUID,
        onForwarded: counts.forwarded,
      }),

    /** From now on the others know this server, and it may own sessions. */
    async join(local: RunningGateway): Promise<void> {
      // Before the others know this server: two that start at once would wait for each other.
      if (!isAlone) await greetOthers();
      await lease.start();
      const others = (await registry.list()).filter((other) => other.id !== server.id);
      if (others.length > 0 && [server, ...others].some((one) => one.url === '')) throw notAlone;
      await leaveName(setup.serversFolder, machine).catch((error: unknown) =>
        logger.warn({ err: error }, 'the folder of notes could not be marked; `parley doctor` needs that'),
      );
      await local.recover();
      stopSweeper = startSweeper(() => local.recover(), timers, logger);
    },

    /** Runs it here or on another server, and there again when that one stops. */
    onOneServer: (name: string, start: () => Promise<{ close(): Promise<void> }>) =>
      runOnOneServer({ ownership: owned, timers, logger, name, start }),

    /** Takes no new work, lets turns end, and hands over the sessions. The doors stay open meanwhile. */
    async drain(local: RunningGateway): Promise<void> {
      isDraining = true;
      stopSweeper();
      await owned.drain();
      const late = new AbortController();
      const cancel = timers.after(setup.drainMs, () => late.abort());
      await local.drain(late.signal);
      cancel();
      await owned.drain();
    },

    async close(): Promise<void> {
      stopSweeper();
      await lease.close();
      owned.close();
    },
  };
}

/** Servers that answer do so at once. One that hangs must not keep this one from starting. */
const greetingMs = 3_000;

function otherSecret({ url }: OtherServer): ParleyError {
  return new ParleyError(
    'conflict',
    `The server at ${url} uses the same database, but does not recognize this server. Set the same PARLEY_CLUSTER_SECRET on all servers, and check their clocks.`,
  );
}

const notAlone = new ParleyError(
  'conflict',
  'Another server uses this database. Set PARLEY_SERVER_URL and the same PARLEY_CLUSTER_SECRET on all of them. If that server has just stopped, wait 15 seconds.',
);

async function leaveName(folder: string, machine: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, machine), '');
}

interface Measured {
  readonly leaseAge: () => number;
  readonly owned: () => number;
  readonly servers: () => Promise<number>;
}

function clusterMetrics(metrics: Registry, measured: Measured) {
  const registers = [metrics];
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        // Without the database there is no answer, and the other metrics must still come.
        const value = await Promise.resolve(read()).catch(() => Number.NaN);
        this.set(value);
      },
    });
  gauge('parley_lease_age_seconds', 'How long ago this server renewed its lease.', measured.leaseAge);
  gauge('parley_owned_sessions', 'Sessions that this server owns.', measured.owned);
  gauge('parley_servers', 'Servers whose lease is not over.', measured.servers);
  const takeovers = new Counter({
    name: 'parley_takeovers_total',
    help: 'Sessions that this server took over from one that had stopped without handing them over.',
    registers,
  });
  const forwarded = new Counter({
    name: 'parley_forwarded_calls_total',
    help: 'Calls that this server passed on to the owner of a session.',
    labelNames: ['call'] as const,
    registers,
  });
  return { takeover: () => takeovers.inc(), forwarded: (call: string) => forwarded.inc({ call }) };
}
