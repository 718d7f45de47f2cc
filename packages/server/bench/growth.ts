// What happens as sessions pile up: sends the same requests with 1,000, 10,000 and 100,000 of them, in turns, so that
// other load on the machine slows all of them equally. `--homes=FOLDER` keeps the databases for the next run, because
// writing the largest takes minutes.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Figure, percentile, report } from '../../../bench/report.ts';
import { delayGauge, type Gauge } from './parts/gauges.ts';
import { commonWords, grownHome, people, rareWord, wordOfOther } from './parts/grown-home.ts';
import { get, nowhere, type Running, residentKb, startServer } from './parts/processes.ts';

const sizes = [1_000, 10_000, 100_000];
const starts = 7;
const rounds = 30;
/** No request reaches the model. */

const [common, second] = commonWords;
const queries = {
  'a word that is in every message': common,
  'two words that are in every message': `${common} ${second}`,
  'one of these words, half typed': common.slice(0, 7),
  'one letter': 'c',
  'a frequent and a rare word': `${common} ${rareWord}`,
  'a word that only others use': wordOfOther,
  'a word that nobody uses': 'zzyzx',
};

type Measured = Readonly<Record<string, readonly number[]>>;

const { values } = parseArgs({ options: { homes: { type: 'string' } }, strict: false });
const folder =
  typeof values.homes === 'string' ? resolve(values.homes) : mkdtempSync(join(tmpdir(), 'parley-growth-'));
mkdirSync(folder, { recursive: true });
try {
  report('growth', figuresOf(await measure()));
} finally {
  if (values.homes === undefined) rmSync(folder, { recursive: true, force: true });
}

interface Grown {
  readonly home: string;
  readonly gauge: Gauge;
  readonly times: Record<string, number[]>;
}

async function measure(): Promise<readonly Measured[]> {
  const all: Grown[] = [];
  for (const size of sizes) {
    const home = await grownHome(folder, size);
    const megabytes = Math.round(statSync(join(home, 'parley.db')).size / 1e6);
    console.log(`${size} sessions, a database of ${megabytes} MB`);
    all.push({ home, gauge: delayGauge(home), times: {} });
  }
  for (let round = 0; round <= starts; round += 1) {
    for (const { times, ...grown } of all) {
      const server = await start(grown);
      await server.close();
      // The first start prepares what later ones reuse.
      if (round > 0) (times['start'] ??= []).push(server.startMs);
    }
  }
  const servers = await Promise.all(all.map(start));
  // Discards what the servers did until they were ready.
  await forEach(all, servers, async ({ gauge }, { pid }) => void (await gauge.read(pid)));
  await pause(5_000);
  await forEach(all, servers, async ({ gauge, times }, { pid }) => {
    times['idle'] = [await gauge.read(pid)];
  });
  const ids = await Promise.all(servers.map(newestSessions));
  for (let round = 0; round < rounds; round += 1) {
    for (const [what, path] of requests(round)) {
      await forEach(all, servers, async ({ times }, server, at) => {
        const begin = performance.now();
        await get(server.url, path(ids[at] ?? []));
        (times[what] ??= []).push(performance.now() - begin);
      });
    }
  }
  await forEach(all, servers, async ({ gauge, times }, server) => {
    times['blocked'] = [await gauge.read(server.pid)];
    times['memory'] = [residentKb(server.pid) / 1024];
    await server.close();
  });
  return all.map(({ times }) => times);
}

function start({ home, gauge }: Pick<Grown, 'home' | 'gauge'>): Promise<Running> {
  return startServer(nowhere, { home, config: { people }, nodeFlags: gauge.flags });
}

async function forEach(
  all: readonly Grown[],
  servers: readonly Running[],
  work: (grown: Grown, server: Running, at: number) => Promise<void>,
): Promise<void> {
  for (const [at, grown] of all.entries()) {
    const server = servers[at];
    if (server) await work(grown, server, at);
  }
}

async function newestSessions(server: Running): Promise<readonly string[]> {
  const page = await get<{ sessions: { id: string }[] }>(server.url, '/api/sessions?limit=100');
  return page.sessions.map(({ id }) => id);
}

function requests(round: number): readonly (readonly [string, (ids: readonly string[]) => string])[] {
  const id = (ids: readonly string[]) => ids[round % ids.length];
  return [
    ['list', () => '/api/sessions?limit=50'],
    ...Object.entries(queries).map(
      ([what, query]) => [`search: ${what}`, () => `/api/sessions?q=${encodeURIComponent(query)}`] as const,
    ),
    ['history', (ids) => `/api/sessions/${id(ids)}`],
    ['resume', (ids) => `/api/sessions/${id(ids)}/past?limit=20`],
    ['usage', () => '/api/usage?days=366'],
  ];
}

function figuresOf(results: readonly Measured[]): readonly Figure[] {
  const largest = results.at(-1) ?? {};
  const at = (what: string, share: number) => results.map((result) => percentile(result[what] ?? [], share));
  const growth = Object.keys(largest)
    .filter((what) => what !== 'blocked' && what !== 'idle')
    .map((what): Figure => {
      const medians = at(what, 0.5);
      const unit = what === 'memory' ? 'MB' : 'ms';
      return {
        what: `${what}: 100,000 sessions compared with 1,000`,
        value: (medians.at(-1) ?? Number.NaN) / (medians[0] ?? Number.NaN),
        unit: '×',
        goal: { atMost: 2 },
        comparison: `p50 ${medians.map((value) => value.toFixed(1)).join(' / ')} ${unit}`,
      };
    });
  const slowest = Object.keys(largest)
    .filter((what) => what.startsWith('search'))
    .map(
      (what): Figure => ({
        what: `${what}, p99`,
        value: Math.max(...at(what, 0.99)),
        unit: 'ms',
        goal: { atMost: 100 },
        comparison: at(what, 0.99)
          .map((value) => value.toFixed(1))
          .join(' / '),
      }),
    );
  const list = (what: string) => at(what, 1).map((value) => value.toFixed(1));
  return [
    ...growth,
    ...slowest,
    {
      what: 'longest time that the event loop was blocked',
      value: Math.max(...at('blocked', 1)),
      unit: 'ms',
      goal: { atMost: 20 },
      comparison: `${list('blocked').join(' / ')} ms; without requests ${list('idle').join(' / ')} ms`,
    },
  ];
}
