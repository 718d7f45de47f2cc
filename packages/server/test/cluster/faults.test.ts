// Three servers as real processes on a real PostgreSQL, behind a proxy, while 20 clients prompt and read. Servers are
// killed, paused and restarted, and the database restarts and drops connections. PARLEY_LONG=1 adds what takes as long as a
// lease: servers that stay away, and pauses of 20 seconds.
import { setTimeout as pause } from 'node:timers/promises';
import { type ClusterServer, type RunningCluster, startCluster } from '@parley/stand-ins/cluster';
import { command } from '@parley/stand-ins/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parley } from '../cli/parley-process.ts';
import { ClientUnderFaults, problemsOf, startCountingModel } from './clients-under-faults.ts';

const isLong = Boolean(process.env['PARLEY_LONG']);
const clientCount = 20;
const many = 1_000_000;

let cluster: RunningCluster;
let model: Awaited<ReturnType<typeof startCountingModel>>;
let clients: ClientUnderFaults[] = [];
beforeAll(async () => {
  model = await startCountingModel();
  cluster = await startCluster({
    program: parley,
    environment: { PARLEY_DEMO: '0', ANTHROPIC_API_KEY: 'loopback', ANTHROPIC_BASE_URL: model.url },
    settings: { people: ['petra'], limits: { requestsPerMinute: many, totalRequestsPerMinute: many } },
  });
});
afterAll(async () => {
  for (const client of clients) client.close();
  await cluster?.close();
  await model?.close();
});

/** Until every client has been answered since now. */
async function everybodyContinues(): Promise<void> {
  const before = clients.map(({ acknowledged }) => acknowledged.size);
  const hasContinued = (client: ClientUnderFaults, at: number) => {
    const [last] = [...client.acknowledged.values()].slice(before[at]);
    return (
      last !== undefined && client.seen.some((one) => one.turnId === last && one.event.type === 'turn.ended')
    );
  };
  while (!clients.every(hasContinued)) await pause(100);
}

async function restartDatabase(): Promise<void> {
  await cluster.postgres.kill();
  await pause(500);
  await cluster.postgres.start();
}

const dropConnections = () =>
  command(
    cluster.postgres.url(),
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley'",
  );

async function restart(server: ClusterServer, signal: NodeJS.Signals): Promise<void> {
  await server.stop(signal);
  await server.start();
}

async function restartAll(servers: readonly ClusterServer[]): Promise<void> {
  for (const server of servers) await restart(server, 'SIGTERM');
}

/** Everybody may wait for the lease. */
async function killForLong(server: ClusterServer): Promise<void> {
  await server.stop('SIGKILL');
  await everybodyContinues();
  await server.start();
}

async function pauseForLong(server: ClusterServer): Promise<void> {
  server.pause();
  await pause(20_000);
  server.resume();
}

type Fault = readonly [what: string, cause: () => Promise<unknown>];

function faults(servers: readonly ClusterServer[]): readonly Fault[] {
  const [first, second, third] = servers;
  if (!first || !second || !third) throw new Error('three servers are needed');
  const short: readonly Fault[] = [
    ['kill -9 and restart', () => restart(second, 'SIGKILL')],
    ['restart of the database, and dropped connections', () => restartDatabase().then(dropConnections)],
    ['rolling restart', () => restartAll(servers)],
  ];
  if (!isLong) return short;
  return [
    ...short,
    ['kill -9', () => killForLong(first)],
    ['SIGSTOP', () => pauseForLong(second)],
    ['kill -9 of another', () => killForLong(third)],
    ['SIGSTOP of another', () => pauseForLong(first)],
    ['SIGSTOP and restart of the database', () => Promise.all([restartDatabase(), pauseForLong(third)])],
    ['dropped connections', dropConnections],
    ['rolling restart again', () => restartAll(servers)],
  ];
}

describe('three servers behind a proxy', () => {
  it('lose nothing, run nothing twice and keep every stream going, whatever fails [cluster.faults]', async () => {
    const { proxy, apiKey, servers } = cluster;
    const options = { url: proxy.url, apiKey, person: 'petra' };
    clients = Array.from({ length: clientCount }, (_, number) => new ClientUnderFaults(number, options));
    await Promise.all(clients.map((client) => client.start()));
    await everybodyContinues();
    for (const [what, cause] of faults(servers)) {
      const begin = performance.now();
      await cause();
      await everybodyContinues();
      if (isLong) process.stderr.write(`${what}: ${((performance.now() - begin) / 1_000).toFixed(1)} s\n`);
    }
    await Promise.all(clients.map((client) => client.finish()));
    const problems = await Promise.all(
      clients.map(async (client) => problemsOf(client, await client.stored(), model.counts)),
    );
    expect(problems.flat()).toEqual([]);
    const prompts = clients.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
    expect(prompts).toBeGreaterThan(clientCount * 3);
    if (!isLong) return;
    const longest = Math.max(...clients.map(({ longestGapMs }) => longestGapMs));
    process.stderr.write(`${prompts} prompts, the longest silence was ${Math.round(longest)} ms\n`);
    expect(longest).toBeLessThan(20_000);
  }, 900_000);
});
