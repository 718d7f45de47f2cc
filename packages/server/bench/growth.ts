// What happens as conversations pile up: the same requests with 1,000, 10,000 and 100,000 of them. `--homes=FOLDER` keeps the
// databases for the next run, because writing the largest takes minutes.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Figure, percentile, report } from '../../../bench/report.ts';
import { delayGauge } from './parts/delay-gauge.ts';
import { commonWords, grownHome, people, rareWord, wordOfOther } from './parts/grown-home.ts';
import { apiKey, type Running, residentKb, startServer } from './parts/processes.ts';

const sizes = [1_000, 10_000, 100_000];
const starts = 7;
const rounds = 30;
/** No request reaches the model. */
const nowhere = 'http://127.0.0.1:9';

const [common, second] = commonWords;
const queries = {
  'a word that is in every message': common,
  'two words that are in every message': `${common} ${second}`,
  'such a word while it is typed': common.slice(0, 7),
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
  const results: Measured[] = [];
  for (const size of sizes) results.push(await measure(size));
  report('growth', figuresOf(results));
} finally {
  if (values.homes === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measure(size: number): Promise<Measured> {
  const home = await grownHome(folder, size);
  const megabytes = Math.round(statSync(join(home, 'parley.db')).size / 1e6);
  console.log(`${size} conversations, a database of ${megabytes} MB`);
  const gauge = delayGauge(folder);
  const options = { home, config: { people }, nodeFlags: gauge.flags };
  const start: number[] = [];
  for (let round = 0; round < starts; round += 1) {
    const server = await startServer(nowhere, options);
    start.push(server.startMs);
    await server.close();
  }
  const server = await startServer(nowhere, options);
  // What the server does by itself after a start is not measured.
  await pause(3_000);
  await gauge.read(server.pid);
  await pause(3_000);
  const idle = await gauge.read(server.pid);
  const requests = await requestTimes(server);
  const blocked = await gauge.read(server.pid);
  const memory = residentKb(server.pid) / 1024;
  await server.close();
  return { start, ...requests, memory: [memory], blocked: [blocked], idle: [idle] };
}

async function requestTimes(server: Running): Promise<Measured> {
  const page = (await get(server, '/api/sessions?limit=100')) as { sessions: { id: string }[] };
  const ids = page.sessions.map(({ id }) => id);
  const times: Record<string, number[]> = {};
  const timed = async (what: string, path: string) => {
    const begin = performance.now();
    await get(server, path);
    (times[what] ??= []).push(performance.now() - begin);
  };
  for (let round = 0; round < rounds; round += 1) {
    const id = ids[round % ids.length];
    await timed('list', '/api/sessions?limit=50');
    for (const [what, query] of Object.entries(queries))
      await timed(`search: ${what}`, `/api/sessions?q=${encodeURIComponent(query)}`);
    await timed('history', `/api/sessions/${id}`);
    await timed('resume', `/api/sessions/${id}/past?limit=20`);
    await timed('usage', '/api/usage?days=366');
  }
  return times;
}

async function get({ url }: Running, path: string): Promise<unknown> {
  const response = await fetch(url + path, {
    headers: { 'x-api-key': apiKey, 'x-notes-person': people[0] },
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
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
        what: `${what}: 100,000 conversations compared with 1,000`,
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
        value: percentile(largest[what] ?? [], 0.99),
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
