// Claude Code through Parley, compared with the bare program: how long a page waits, and what many pages cost.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ageOf, makeFrameWriter, readBare } from '../../../bench/frame-writer.ts';
import { type Figure, percentile, report } from '../../../bench/report.ts';
import { firstTokenFigures } from './parts/code-first-token.ts';
import { newSession, openPage, type Page, timed, until } from './parts/code-pages.ts';
import { agesIn, makeEventReader, readWithoutParley, startEventSource } from './parts/event-source.ts';
import { heapGauge } from './parts/gauges.ts';
import { makeSessions } from './parts/made-up-sessions.ts';
import { residentKb, startRole, startServer } from './parts/processes.ts';
import { play } from './parts/roles.ts';
import { makeSleeper } from './parts/sleeper.ts';

const MB = 1024 * 1024;
/** How many sessions the server keeps in memory for pages that may come back. */
const lingering = 200;
const { values } = parseArgs({
  options: { full: { type: 'boolean', default: false }, role: { type: 'string' }, port: { type: 'string' } },
  strict: false,
});
if (typeof values.role === 'string') await play(values.role, Number(values.port), 0);
else await measure(values.full === true);

async function measure(full: boolean): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-bench-')));
  const workingDir = join(folder, 'work');
  mkdirSync(workingDir);
  try {
    report('code-door', [
      ...(await frameFigures(folder, workingDir, full ? 20_000 : 3_000)),
      ...(await relayFigures(folder, workingDir, full ? 20_000 : 3_000)),
      ...(await firstTokenFigures(folder, workingDir, full ? 20 : 6)),
      ...(await sleepFigures(folder, workingDir, full ? 500 : 150)),
      ...(await listFigures(folder, full ? { files: 2_000, bytes: MB / 2 } : { files: 200, bytes: MB / 2 })),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A program that writes a thousand frames a second, read directly, by one page and by twenty. */
async function frameFigures(folder: string, workingDir: string, frames: number): Promise<Figure[]> {
  const program = makeFrameWriter(folder);
  const server = await startServer('http://127.0.0.1:9', {
    config: { workRoots: [workingDir], claude: { warmProcesses: 0 } },
    environment: { PARLEY_CLAUDE_PATH: program },
  });
  const bare: number[][] = [];
  const alone: number[][] = [];
  for (let round = 0; round < 3; round += 1) {
    bare.push(await readBare(program, frames));
    alone.push((await watch(server.url, workingDir, 1, frames))[0] ?? []);
  }
  const many = await watch(server.url, workingDir, 20, frames);
  const lost = many.reduce((sum, ages) => sum + frames - ages.length, 0);
  await server.close();
  // The best round of each, because a busy machine adds latency of its own.
  const best = (rounds: readonly number[][], share: number) =>
    Math.min(...rounds.map((ages) => percentile(ages, share)));
  const added = (share: number) => best(alone, share) - best(bare, share);
  const comparison = (share: number) =>
    `${best(alone, share).toFixed(2)} ms vs ${best(bare, share).toFixed(2)} ms`;
  return [
    {
      what: 'latency added to a frame, p50',
      value: added(0.5),
      unit: 'ms',
      goal: { atMost: 0.5 },
      comparison: comparison(0.5),
    },
    {
      what: 'latency added to a frame, p99',
      value: added(0.99),
      unit: 'ms',
      goal: { atMost: 3 },
      comparison: comparison(0.99),
    },
    {
      what: 'frames lost by 20 pages at 1,000/s',
      value: lost,
      unit: `of ${20 * frames}`,
      goal: { atMost: 0 },
    },
    { what: 'age of a frame on 20 pages, p50', value: percentile(many.flat(), 0.5), unit: 'ms' },
    { what: 'age of a frame on 20 pages, p99', value: percentile(many.flat(), 0.99), unit: 'ms' },
  ];
}

/** The ages of the frames when they reach each page. */
async function watch(url: string, workingDir: string, pages: number, frames: number): Promise<number[][]> {
  const id = await newSession(url, workingDir);
  const open = await Promise.all(Array.from({ length: pages }, () => openPage(url, id)));
  const seen = open.map((page) => agesUntilResult(page));
  open[0]?.prompt(`Say ${frames}`);
  const ages = await Promise.all(seen);
  for (const page of open) page.close();
  return ages;
}

function agesUntilResult(page: Page): Promise<number[]> {
  const ages: number[] = [];
  return new Promise((resolve) => {
    page.onMessage = (text) => {
      const age = ageOf(text);
      if (age !== undefined) ages.push(age);
      else if (text.includes('"type":"result"')) resolve(ages);
    };
  });
}

/** The latency that the relay adds to an API event on its way to the program, next to what a bare proxy adds. */
async function relayFigures(folder: string, workingDir: string, events: number): Promise<Figure[]> {
  await using source = await startEventSource(folder, events);
  const program = makeEventReader(folder);
  process.env['BENCH_TARGET'] = source.url;
  const proxy = await startRole('proxy');
  const server = await startServer(source.url, {
    config: { workRoots: [workingDir], claude: { warmProcesses: 0 } },
    environment: { PARLEY_CLAUDE_PATH: program },
  });
  const ages = { direct: [] as number[][], proxied: [] as number[][], relayed: [] as number[][] };
  for (let round = 0; round < 5; round += 1) {
    ages.direct.push(await readWithoutParley(program, source.url));
    ages.proxied.push(await readWithoutParley(program, proxy.url));
    const page = await openPage(server.url, await newSession(server.url, workingDir));
    ages.relayed.push(await agesOnce(page));
    page.close();
  }
  await Promise.all([server.close(), proxy.close()]);
  const best = (route: keyof typeof ages, share: number) =>
    Math.min(...ages[route].map((round) => percentile(round, share)));
  const lost = ages.relayed.reduce((sum, round) => sum + events - round.length, 0);
  const figure = (share: number, name: string) => {
    const direct = best('direct', share);
    const proxied = best('proxied', share);
    return {
      what: `latency that the relay adds to an event, ${name}`,
      value: best('relayed', share) - direct,
      unit: 'ms',
      comparison: `a bare proxy adds ${(proxied - direct).toFixed(2)} ms to ${direct.toFixed(2)} ms`,
    };
  };
  return [
    { ...figure(0.5, 'p50'), goal: { atMost: 0.2 } },
    figure(0.99, 'p99'),
    {
      what: 'events lost by the relay',
      value: lost,
      unit: `of ${ages.relayed.length * events}`,
      goal: { atMost: 0 },
    },
  ];
}

function agesOnce(page: Page): Promise<number[]> {
  return new Promise((resolve) => {
    page.onMessage = (text) => {
      const ages = agesIn(text);
      if (ages) resolve(ages);
    };
    page.prompt('go');
  });
}

/**
 * How much memory used sessions take after their process has stopped. The server keeps a limited number of them for
 * pages that may come back, so the benchmark counts only what further sessions add.
 */
async function sleepFigures(folder: string, workingDir: string, sessions: number): Promise<Figure[]> {
  const gauge = heapGauge(folder);
  const server = await startServer('http://127.0.0.1:9', {
    config: { workRoots: [workingDir], claude: { warmProcesses: 0, maxProcesses: 4 } },
    environment: { PARLEY_CLAUDE_PATH: makeSleeper(folder) },
    nodeFlags: gauge.flags,
  });
  const use = async (count: number) => {
    for (let done = 0; done < count; done += 1) {
      const page = await openPage(server.url, await newSession(server.url, workingDir));
      page.prompt('go');
      await until(page, '"running":null');
      page.close();
    }
    return { heap: await gauge.read(server.pid), residentKb: residentKb(server.pid) };
  };
  const before = await use(lingering + 20);
  const after = await use(sessions);
  await server.close();
  return [
    {
      what: 'memory per sleeping session',
      value: Math.max(0, after.heap - before.heap) / 1_024 / sessions,
      unit: 'KB',
      goal: { atMost: 20 },
      comparison: `RSS: ${((after.residentKb - before.residentKb) / sessions).toFixed(1)} KB each`,
    },
  ];
}

/** How long the list of sessions takes after a start, and the newest messages of a long session. */
async function listFigures(folder: string, library: { files: number; bytes: number }): Promise<Figure[]> {
  const home = join(folder, 'home');
  mkdirSync(home);
  const long = makeSessions(home, 1, 50 * MB);
  makeSessions(home, library.files - 1, library.bytes);
  const sessions = '/api/claude/sessions?limit=50';
  const cold = await startServer('http://127.0.0.1:9', { home });
  const idleMb = residentKb(cold.pid) / 1_024;
  const first = await timed(cold.url + sessions);
  const cursor = (first.body as { next_cursor: string }).next_cursor;
  const pages: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    pages.push((await timed(`${cold.url}${sessions}&cursor=${encodeURIComponent(cursor)}`)).ms);
  }
  const messages: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const page = await timed(`${cold.url}/api/claude/sessions/${long}/messages?limit=50`);
    if ((page.body as { messages: unknown[] }).messages.length !== 50)
      throw new Error('expected 50 messages');
    messages.push(page.ms);
  }
  await cold.close();
  const again = await startServer('http://127.0.0.1:9', { home });
  const cached = await timed(again.url + sessions);
  await again.close();
  const size = `${library.files} transcripts of ${Math.round((library.files * library.bytes) / MB + 50)} MB`;
  return [
    {
      what: 'first list after a start',
      value: first.ms,
      unit: 'ms',
      goal: { atMost: 300 },
      comparison: size,
    },
    { what: 'first list from the kept cache', value: cached.ms, unit: 'ms', goal: { atMost: 100 } },
    { what: 'a later page', value: percentile(pages, 0.5), unit: 'ms', goal: { atMost: 5 } },
    { what: 'last 50 messages of 50 MB', value: percentile(messages, 0.5), unit: 'ms', goal: { atMost: 10 } },
    { what: 'RSS of an idle server', value: idleMb, unit: 'MB', goal: { atMost: 100 } },
  ];
}
