// Builds what a server needs to share a database with others: its lease, the sessions it owns, and calls to the others.
import { randomUUID } from 'node:crypto';
import { ParleyError, type PersonName, type Session, type SessionId } from '@parley/protocol';
import type { Metrics } from '../basics/metrics.ts';
import { StoredRelay, watchingLastsMs } from '../cluster/activity-relay.ts';
import { createClusterCodeSessions } from '../cluster/cluster-code-sessions.ts';
import { createClusterGateway } from '../cluster/cluster-gateway.ts';
import { ClusterMachines } from '../cluster/cluster-machines.ts';
import { greet } from '../cluster/greeting.ts';
import { leaveMark, readMark } from '../cluster/notes-marks.ts';
import { runOnOneServer } from '../cluster/on-one-server.ts';
import { OwnedSessions } from '../cluster/owned-sessions.ts';
import { createRemoteGateway } from '../cluster/remote-gateway.ts';
import { ServerLease } from '../cluster/server-lease.ts';
import { ServerSignature } from '../cluster/server-signature.ts';
import { ServerWatch } from '../cluster/server-watch.ts';
import { signedHttp } from '../cluster/signed-http.ts';
import { startSweeper } from '../cluster/sweeper.ts';
import type { Access } from '../domain/access.ts';
import { systemClock } from '../domain/clock.ts';
import type { ClusterHealth } from '../domain/cluster-health.ts';
import type { CodeSessions } from '../domain/code-sessions.ts';
import type { Gateway } from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import type { OtherServer } from '../domain/ownership.ts';
import { systemTimers as timers } from '../domain/timers.ts';
import type { WorkFolders } from '../domain/work-folders.ts';
import type { RunningGateway } from '../gateway/gateway.ts';
import { clusterMetrics } from './cluster-metrics.ts';
import { machineName } from './machine-name.ts';
import type { SharedStores } from './stores.ts';

export interface ClusterSetup extends SharedStores {
  /** The id of this server, new with every start. */
  readonly id: string;
  /** If the secret or the `url` is missing, this must be the only server. */
  readonly secret: string | undefined;
  /** Any person: requests to other servers have to name one. */
  readonly person: PersonName;
  /** Where the other servers reach this one. */
  readonly url: string | undefined;
  /** The file with the name of this machine. */
  readonly machineFile: string;
  /** A folder in the notes, where servers leave marks for the doctor. */
  readonly serversFolder: string;
  /** How long turns may take to finish when the server stops. */
  readonly drainMs: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** The parts on this server's own machine. */
interface OnThisMachine {
  readonly gateway: Gateway;
  readonly sessions: CodeSessions;
  readonly folders: WorkFolders;
  readonly access: Access;
  readonly findSession: (id: SessionId) => Promise<Session | undefined>;
}

export type Cluster = Awaited<ReturnType<typeof openCluster>>;

export async function openCluster({ registry, secret, url, metrics, logger, ...setup }: ClusterSetup) {
  const { machines: records } = setup;
  const isAlone = secret === undefined || url === undefined;
  const machine = await machineName(setup.machineFile);
  const server = { id: setup.id, machine, url: isAlone ? '' : url };
  const signature = new ServerSignature(secret ?? randomUUID(), systemClock);
  const counts = clusterMetrics(metrics, {
    leaseAge: () => lease.age,
    owned: () => owned.size,
    servers: async () => (await registry.list()).length,
  });
  const lease = new ServerLease({ registry, server, timers, logger });
  const owned = new OwnedSessions({ registry, server, lease, timers, logger, onTakeover: counts.takeover });
  const relay = new StoredRelay({ store: setup.activities, server: server.id, timers, logger });
  const health: ClusterHealth = {
    async look(asking) {
      const others = (await registry.list()).filter((other) => other.id !== server.id && other.url !== '');
      const deadline = AbortSignal.timeout(greetingMs);
      const answers = await Promise.all(
        others.map(async (other) => (await greet(other, signature, setup.person, deadline)) === 200),
      );
      const [own, theirs] = await Promise.all(
        [machine, asking].map((name) => readMark(setup.serversFolder, name)),
      );
      return {
        machine,
        time: systemClock.now(),
        others: others.map((other, index) => ({ machine: other.machine, answers: answers[index] ?? false })),
        marks: { own: own ?? '', asking: theirs ?? '' },
      };
    },
  };
  const watch = new ServerWatch(registry, timers);
  let isDraining = false;
  let stopSweeper = () => {};

  /** Rejects if another server has a different secret. */
  async function greetOthers(): Promise<void> {
    const others = (await registry.list()).filter((other) => other.machine !== machine && other.url !== '');
    const deadline = AbortSignal.timeout(greetingMs);
    const greetings = others.map(async (other) => ({
      other,
      status: await greet(other, signature, setup.person, deadline),
    }));
    for (const { other, status } of await Promise.all(greetings)) {
      if (status === 401) throw otherSecret(other);
      if (status !== 200) logger.warn({ url: other.url, status }, 'another server does not answer');
    }
  }

  return {
    ownership: owned,
    /** Verifies requests from the other servers. */
    servers: signature,
    /** Exchanges notifications with the other servers. */
    relay,
    pagesElsewhere: { relay, clock: systemClock, lastsMs: watchingLastsMs },
    health,
    isReady: () => lease.isHeld && !isDraining,

    /** The gateway for the doors. It forwards calls to the owner of the session. */
    gatewayOver: (local: Gateway): Gateway =>
      createClusterGateway({
        local,
        reach: (other) =>
          createRemoteGateway({
            server: other,
            signature,
            fetch: globalThis.fetch,
            timers,
            local,
            watch,
            onEvent: ({ at }) => counts.lag(systemClock.now() - at),
          }),
        timers,
        newId: randomUUID,
        onForwarded: counts.forwarded,
      }),

    /** Which of these sessions are on other machines. */
    elsewhere: (ids: readonly SessionId[]) => records.elsewhere(machine, ids),

    /** The machines, and the Claude Code sessions on all of them. */
    machinesOver({ gateway, sessions, folders, access, findSession }: OnThisMachine) {
      const machines = new ClusterMachines({
        server,
        registry,
        records,
        signature,
        fetch: globalThis.fetch,
        findSession,
        local: { gateway, sessions, folders },
        onForwarded: counts.forwarded,
      });
      return {
        machines,
        sessions: createClusterCodeSessions({ local: sessions, here: machine, machines, records, access }),
      };
    },

    /** Makes this server known to the others. From now on it may own sessions. */
    async join(local: RunningGateway): Promise<void> {
      // Before this server is known: two that start at once would wait for each other.
      if (!isAlone) await greetOthers();
      await lease.start();
      const others = (await registry.list()).filter((other) => other.id !== server.id);
      if (others.length > 0 && [server, ...others].some((one) => one.url === '')) throw notAlone;
      await leaveMark(setup.serversFolder, machine).catch((error: unknown) =>
        logger.warn({ err: error }, 'could not leave a mark in the notes, which `parley doctor` needs'),
      );
      await relay.start();
      await local.recover();
      stopSweeper = startSweeper(() => local.recover(), timers, logger);
    },

    /** Runs it on one server at a time. If that server stops, another one starts it. */
    onOneServer: (name: string, start: () => Promise<{ close(): Promise<void> }>) =>
      runOnOneServer({ ownership: owned, timers, logger, name, start }),

    /** Reads something from another server that everybody may see. */
    ask: <T>(other: OtherServer, path: string): Promise<T> =>
      signedHttp(other, setup.person, { signature, fetch: globalThis.fetch }).get<T>(
        path,
        AbortSignal.timeout(greetingMs),
      ),

    /** Tells load balancers to send no more requests. Those that still arrive are answered. */
    async announceStop(): Promise<void> {
      isDraining = true;
    },

    /** Takes no new work, lets turns finish, and hands over the sessions. The doors stay open meanwhile. */
    async drain(local: RunningGateway): Promise<void> {
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
      await relay.stop();
      await owned.drain();
      await lease.close();
      owned.close();
    },
  };
}

/** A healthy server answers at once. One that hangs must not keep this one from starting. */
const greetingMs = 3_000;

function otherSecret({ url }: OtherServer): ParleyError {
  return new ParleyError(
    'conflict',
    `The server at ${url} uses the same database, but does not recognize this server. Set the same PARLEY_CLUSTER_SECRET on all servers, and check their clocks.`,
  );
}

const notAlone = new ParleyError(
  'conflict',
  'Another server is using this database. Set PARLEY_SERVER_URL on each server, and the same PARLEY_CLUSTER_SECRET on all of them. If that server has just stopped, wait 15 seconds.',
);
