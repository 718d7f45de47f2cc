// How long it takes until another server continues a session, after its owner is killed or stops cleanly.
import type { Figure } from '../../../../bench/report.ts';
import { newSession, prompt, read, startServers } from './cluster-servers.ts';
import { startRole } from './processes.ts';

/** From killing the owner until a reader at another server learns how the turn ended. */
export async function takeoverFigures(rounds: number): Promise<readonly Figure[]> {
  const upstream = await startRole('silent-upstream');
  const cluster = await startServers(3, upstream.url);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [owner, other] = [cluster.servers[round % 3], cluster.servers[(round + 1) % 3]];
    if (!owner || !other) throw new Error('three servers are needed');
    const session = await newSession(owner.url);
    await prompt(owner.url, session);
    const reader = await read(other.url, session);
    const killedAt = performance.now();
    await owner.stop('SIGKILL');
    await reader.until('"turn.ended"');
    times.push(performance.now() - killedAt);
    reader.close();
    await owner.start();
  }
  await closeAtOnce(cluster.servers);
  await cluster.close();
  await upstream.close();
  return [figure('takeover after kill -9, slowest', times, 16)];
}

/** From stopping the owner until a reader at another server sees the turn of a prompt sent there start. */
export async function drainFigures(rounds: number): Promise<readonly Figure[]> {
  const upstream = await startRole('upstream', '--deltas=3');
  const cluster = await startServers(3, upstream.url);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [owner, other] = [cluster.servers[round % 3], cluster.servers[(round + 1) % 3]];
    if (!owner || !other) throw new Error('three servers are needed');
    const session = await newSession(owner.url);
    const atOwner = await read(owner.url, session);
    const reader = await read(other.url, session);
    await prompt(owner.url, session);
    await reader.until('"turn.ended"');
    const stoppedAt = performance.now();
    const stopped = owner.stop('SIGTERM');
    await prompt(other.url, session, 'go on');
    await reader.until('"turn.started"');
    times.push(performance.now() - stoppedAt);
    reader.close();
    atOwner.close();
    await stopped;
    await owner.start();
  }
  await cluster.close();
  await upstream.close();
  return [figure('another server continues after a clean stop, slowest', times, 1)];
}

function figure(what: string, times: readonly number[], atMost: number): Figure {
  const seconds = times.map((ms) => ms / 1_000);
  const comparison = `${seconds.map((time) => time.toFixed(2)).join(', ')} s`;
  return { what, value: Math.max(...seconds), unit: 's', goal: { atMost }, comparison };
}

/** Turns that never end would hold up a clean stop. */
async function closeAtOnce(
  servers: readonly { stop(signal: NodeJS.Signals): Promise<void> }[],
): Promise<void> {
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
}
