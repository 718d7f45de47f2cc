// Three servers as real processes on a real PostgreSQL, behind a proxy, while clients prompt and read. Servers are
// killed, paused and restarted, and the database restarts and drops connections. PARLEY_LONG=1 adds what takes as long as a
// lease: servers that stay away, and pauses of 20 seconds.
import { setTimeout as pause } from 'node:timers/promises';
import { type ClusterServer, type RunningCluster, startCluster } from '@parley/stand-ins/cluster';
import { runSql } from '@parley/stand-ins/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parley } from '../cli/parley-process.ts';
import { ClientUnderFaults, problemsOf, startCountingModel } from './clients-under-faults.ts';

const isLong = Boolean(process.env['PARLEY_LONG']);
const clientCount = isLong ? 20 : 8;
const many = 1_000_000;
/** Every stream has to continue within this time. */
const longestGapMs = 20_000;
/** Far longer than that, because other tests may take all the processor. */
const maxPatienceMs = 240_000;

let cluster: RunningCluster;
let model: Awaited<ReturnType<typeof startCountingModel>>;
let clients: ClientUnderFaults[] = [];
beforeAll(async () => {
  model = await startCountingModel();
  cluster = await startCluster({
    program: parley,
    environment: { PARLEY_DEMO: '0', ANTHROPIC_API_KEY: 'loopback', ANTHROPIC_BASE_URL: model.url },
    // At the end, everything is read from the first event on.
    settings: {
      people: ['petra'],
      limits: { requestsPerMinute: many, totalRequestsPerMinute: many, keptEvents: many },
    },
  });
});
afterAll(async () => {
  for (const client of clients) client.close();
  await cluster?.close();
  await model?.close();
});

/** Resolves when every client has sent another prompt and got an answer. */
async function everybodyContinues(): Promise<void> {
  const before = clients.map(({ acknowledged }) => acknowledged.size);
  const isBehind = ({ acknowledged, unanswered }: ClientUnderFaults, at: number) =>
    acknowledged.size - unanswered.length <= (before[at] ?? 0);
  const until = performance.now() + maxPatienceMs;
  while (clients.some(isBehind)) {
    if (performance.now() > until) throw new Error(`these don't continue: ${describeClients(isBehind)}`);
    await pause(100);
  }
}

function describeClients(isBehind: (client: ClientUnderFaults, at: number) => boolean): string {
  const waiting = clients
    .filter(isBehind)
    .map(({ lastKey, unanswered }) => `${lastKey} (${unanswered.join(', ')})`);
  const logs = cluster.servers.map(({ name, log }) => `${name}:\n${log.slice(-2_000)}`);
  return [waiting.join('; '), ...logs].join('\n');
}

async function restartDatabase(): Promise<void> {
  await cluster.postgres.kill();
  await pause(500);
  await cluster.postgres.start();
}

const dropConnections = () =>
  runSql(
    cluster.postgres.url(),
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley'",
  );

async function restart(server: ClusterServer, signal: NodeJS.Signals): Promise<void> {
  await server.stop(signal);
  await server.start();
}

/** One after the other, as an update does it. */
async function restartAll(
  servers: readonly ClusterServer[],
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  for (const [at, server] of servers.entries()) await restart(server, at === 1 ? signal : 'SIGTERM');
}

/** Every client may have to wait for the lease. */
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
    ['restart of the database, and dropped connections', () => restartDatabase().then(dropConnections)],
    ['rolling restart, with a kill -9', () => restartAll(servers, 'SIGKILL')],
  ];
  if (!isLong) return short;
  return [
    ...short,
    ['kill -9 without a restart', () => killForLong(first)],
    ['SIGSTOP for 20 s', () => pauseForLong(second)],
    ['kill -9 of another', () => killForLong(third)],
    ['SIGSTOP of another', () => pauseForLong(first)],
    ['SIGSTOP and restart of the database', () => Promise.all([restartDatabase(), pauseForLong(third)])],
    ['dropped connections', dropConnections],
    ['rolling restart', () => restartAll(servers)],
  ];
}

describe('three servers behind a proxy', () => {
  it('lose nothing, run nothing twice and keep every stream going, whatever fails [cluster.faults]', async () => {
    const { proxy, apiKey, servers } = cluster;
    const options = { url: proxy.url, apiKey, person: 'petra' };
    clients = Array.from({ length: clientCount }, (_, number) => new ClientUnderFaults(number, options));
    await Promise.all(clients.map((client) => client.start()));
    await everybodyContinues();
    const slow: string[] = [];
    for (const [what, cause] of faults(servers)) {
      const begin = performance.now();
      await cause();
      await everybodyContinues();
      const gap = Math.max(...clients.map((client) => client.takeLongestGapMs()));
      const line = `${what}: ${seconds(performance.now() - begin)}, the longest silence of a stream was ${seconds(gap)}`;
      if (isLong) process.stderr.write(`${line}\n`);
      // Beside other tests, it would say more about the machine than about us.
      if (isLong && gap > longestGapMs) slow.push(line);
    }
    await Promise.all(clients.map((client) => client.finish()));
    const problems = await Promise.all(
      clients.map(async (client) => problemsOf(client, await client.stored(), model.counts)),
    );
    expect(problems.flat()).toEqual([]);
    const prompts = clients.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
    expect(prompts).toBeGreaterThan(clientCount * 3);
    expect(slow).toEqual([]);
    if (isLong) process.stderr.write(`${prompts} prompts of ${clientCount} clients\n`);
  }, 900_000);
});

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
