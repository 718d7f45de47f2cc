// What several servers cost, and what they add, while all of them run: latency, throughput, admitted prompts.
import { createGate, noFallback, reply, say, startAnthropicStandIn, wait } from '@parley/stand-ins';
import { type Figure, percentile } from '../../../../bench/report.ts';
import { ask, throughParley, word } from './clients.ts';
import { newSession, prompt, read, startServers } from './cluster-servers.ts';
import { startRole, startServer } from './processes.ts';

/** One event at a time, to a reader at the owner of the session and to one at another server. */
export async function latencyFigures(events: number): Promise<readonly Figure[]> {
  await using standIn = await startAnthropicStandIn({ fallback: noFallback });
  const sqlite = await startServer(standIn.url);
  const [alone = []] = await passOf(standIn, [sqlite.url], events);
  await sqlite.close();
  const cluster = await startServers(2, standIn.url);
  const urls = cluster.servers.map(({ url }) => url);
  await passOf(standIn, urls, Math.min(events, 300));
  const [atOwner = [], elsewhere = []] = await passOf(standIn, urls, events);
  await cluster.close();
  return [0.5, 0.99].map((share) => ({
    what: `added latency per event through a server that is not the owner, p${share * 100}`,
    value: percentile(elsewhere, share) - percentile(atOwner, share),
    unit: 'ms',
    goal: { atMost: share === 0.5 ? 0.5 : 3 },
    comparison: `from the model to the reader: at the owner ${percentile(atOwner, share).toFixed(3)} ms, one server with SQLite ${percentile(alone, share).toFixed(3)} ms`,
  }));
}

/** The samples of each reader. The first server is the owner. */
async function passOf(
  standIn: Awaited<ReturnType<typeof startAnthropicStandIn>>,
  urls: readonly string[],
  events: number,
): Promise<readonly (readonly number[])[]> {
  const gates = Array.from({ length: events }, () => createGate());
  standIn.enqueue(reply(...gates.flatMap((gate) => [wait(gate.opened), say(`${word} `)])));
  const session = await newSession(urls[0] ?? '');
  const samples = urls.map((): number[] => []);
  let next = 0;
  let openedAt = 0;
  const open = () => {
    openedAt = performance.now();
    gates[next++]?.open();
  };
  const readers = [];
  for (const [index, url] of urls.entries()) {
    const onText = (text: string) => {
      if (!text.includes('"text.delta"')) return;
      samples[index]?.push(performance.now() - openedAt);
      // Sends the next event only after every reader has this one.
      if (samples.every((list) => list.length >= next)) setImmediate(open);
    };
    readers.push(await read(url, session, onText));
  }
  await prompt(urls[0] ?? '', session);
  await standIn.waitForRequest();
  standIn.clearRequests();
  setTimeout(open, 50);
  await Promise.all(readers.map((reader) => reader.until('"turn.ended"')));
  for (const reader of readers) reader.close();
  return samples;
}

const streams = 100;

/** Whole answers at full speed. The servers share the cores with the clients, the model and PostgreSQL. */
export async function throughputFigures(deltas: number): Promise<readonly Figure[]> {
  const upstream = await startRole('upstream', `--deltas=${deltas}`);
  const sqlite = await startServer(upstream.url);
  const cluster = await startServers(2, upstream.url);
  const [first = '', second = ''] = cluster.servers.map(({ url }) => url);
  const rate = async (urls: readonly string[]) => {
    const start = performance.now();
    const asked = Array.from({ length: streams }, (_, at) =>
      ask(throughParley(urls[at % urls.length] ?? '')),
    );
    const total = (await Promise.all(asked)).reduce((sum, count) => sum + count, 0);
    if (total !== streams * deltas) throw new Error(`${total} of ${streams * deltas} pieces arrived`);
    return (total / (performance.now() - start)) * 1_000;
  };
  const best = { sqlite: 0, one: 0, two: 0 };
  for (let round = 0; round < 4; round += 1) {
    best.sqlite = Math.max(best.sqlite, await rate([sqlite.url]));
    best.one = Math.max(best.one, await rate([first]));
    best.two = Math.max(best.two, await rate([first, second]));
  }
  await Promise.all([cluster.close(), sqlite.close()]);
  await upstream.close();
  const rounded = (value: number) => Math.round(value).toLocaleString('en');
  return [
    {
      what: `events per second of two servers, ${streams} streams`,
      value: best.two,
      unit: 'events/s',
      comparison: `one server ${rounded(best.one)}, one with SQLite ${rounded(best.sqlite)}`,
    },
    { what: 'two servers compared with one', value: best.two / best.one, unit: '×' },
  ];
}

const clients = 50;
const promptsPerSession = 20;

/** Prompts that are stored durably before they are acknowledged; the model never answers. */
export async function admissionFigures(rounds: number): Promise<readonly Figure[]> {
  const upstream = await startRole('silent-upstream');
  const sqlite = await startServer(upstream.url);
  const cluster = await startServers(1, upstream.url);
  const rate = async (url: string) => {
    const sessions = await Promise.all(Array.from({ length: clients }, () => newSession(url)));
    const start = performance.now();
    await Promise.all(
      sessions.map(async (session) => {
        for (let sent = 0; sent < promptsPerSession; sent += 1) await prompt(url, session);
      }),
    );
    return (clients * promptsPerSession * 1_000) / (performance.now() - start);
  };
  const best = { sqlite: 0, postgres: 0 };
  for (let round = 0; round <= rounds; round += 1) {
    best.sqlite = Math.max(best.sqlite, await rate(sqlite.url));
    best.postgres = Math.max(best.postgres, await rate(cluster.servers[0]?.url ?? ''));
  }
  for (const server of cluster.servers) await server.stop('SIGKILL');
  await Promise.all([cluster.close(), sqlite.close()]);
  await upstream.close();
  return [
    {
      what: `admitted prompts per second on PostgreSQL, ${clients} clients, compared with SQLite`,
      value: (best.postgres / best.sqlite) * 100,
      unit: '%',
      goal: { atLeast: 60 },
      comparison: `PostgreSQL ${Math.round(best.postgres)}, SQLite ${Math.round(best.sqlite)} per second`,
    },
  ];
}
