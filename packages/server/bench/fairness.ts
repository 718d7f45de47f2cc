// What one person's load costs another: how long somebody waits for the first word while nobody else is active, and
// while somebody else runs as many turns, processes and streams as they can.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeFrameWriter } from '../../../bench/frame-writer.ts';
import { type Figure, percentile, report } from '../../../bench/report.ts';
import { backoffMs, withJitter } from '../src/basics/backoff.ts';
import { ask, hold, throughParley } from './parts/clients.ts';
import { firstWord, newSession, openPage } from './parts/code-pages.ts';
import { startRole, startServer } from './parts/processes.ts';
import { betweenWordsMs, play } from './parts/roles.ts';

/** More of each than one person may have. */
const load = { turns: 250, codeTurns: 12, streams: 600 };
const rounds = 2;
const samplesPerRound = 9;
const many = 1_000_000;

const { values } = parseArgs({
  options: { role: { type: 'string' }, port: { type: 'string', default: '0' }, deltas: { type: 'string' } },
  strict: false,
});
const port = Number(values.port);
if (values.role === 'greedy') await beGreedy(port);
else if (typeof values.role === 'string') await play(values.role, port, Number(values.deltas));
else await measure();

async function measure(): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-bench-')));
  const workingDir = join(folder, 'work');
  mkdirSync(workingDir);
  const upstream = await startRole('steady-upstream', '--deltas=100');
  const server = await startServer(upstream.url, {
    config: {
      people: ['greedy', 'modest'],
      workRoots: [workingDir],
      limits: { requestsPerMinute: many, totalRequestsPerMinute: many },
      claude: { warmProcesses: 0 },
    },
    environment: { PARLEY_CLAUDE_PATH: makeFrameWriter(folder, betweenWordsMs) },
  });
  process.env['BENCH_TARGET'] = server.url;
  process.env['BENCH_FOLDER'] = workingDir;
  const times = { alone: emptyTimes(), loaded: emptyTimes() };
  try {
    // Warms up the caches.
    await sample(server.url, workingDir, emptyTimes());
    for (let round = 0; round < rounds; round += 1) {
      await sample(server.url, workingDir, times.alone);
      const greedy = await startRole('greedy');
      await sample(server.url, workingDir, times.loaded);
      await greedy.close();
      await pause(2_000);
    }
  } finally {
    await Promise.all([server.close(), upstream.close()]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  report('fairness', [
    figure('an assistant', times.alone.notes, times.loaded.notes),
    figure('a new Claude Code session', times.alone.code, times.loaded.code),
  ]);
}

interface Times {
  readonly notes: number[];
  readonly code: number[];
}

function emptyTimes(): Times {
  return { notes: [], code: [] };
}

async function sample(url: string, workingDir: string, { notes, code }: Times): Promise<void> {
  for (let count = 0; count < samplesPerRound; count += 1) {
    notes.push(await firstPiece(url));
    if (count % 3 !== 0) continue;
    const start = performance.now();
    const page = await openPage(url, await newSession(url, workingDir, { person: 'modest' }), 'modest');
    const opened = performance.now() - start;
    page.prompt('Say 3');
    code.push(opened + (await firstWord(page)));
    page.close();
  }
}

/** Milliseconds to the first piece of an answer. Doesn't wait for the rest. */
async function firstPiece(url: string): Promise<number> {
  const start = performance.now();
  const stream = await hold(throughParley(url, 'modest'));
  const first = performance.now() - start;
  stream.close();
  return first;
}

function figure(where: string, alone: readonly number[], loaded: readonly number[]): Figure {
  const [before, after] = [percentile(alone, 0.5), percentile(loaded, 0.5)];
  return {
    what: `first word of ${where} under the load of another person`,
    value: after / before,
    unit: '×',
    goal: { atMost: 2 },
    comparison: `p50 ${before.toFixed(1)} → ${after.toFixed(1)} ms, p90 ${percentile(alone, 0.9).toFixed(1)} → ${percentile(loaded, 0.9).toFixed(1)} ms`,
  };
}

/** The person who causes the load, in their own process. Starts to listen once the load has built up. */
async function beGreedy(ownPort: number): Promise<void> {
  // People usually have a computer of their own, so this process must not take CPU time from the server.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const url = process.env['BENCH_TARGET'] ?? '';
  const workingDir = process.env['BENCH_FOLDER'] ?? '';
  const keep = (count: number, work: () => Promise<unknown>) => {
    for (let at = 0; at < count; at += 1) void repeat(work);
  };
  keep(load.turns, () => ask(throughParley(url, 'greedy')));
  keep(load.codeTurns, async () => {
    const page = await openPage(url, await newSession(url, workingDir, { person: 'greedy' }), 'greedy');
    page.prompt('Say 100');
    await firstWord(page);
    page.close();
  });
  const idle = await newSession(url, workingDir, { person: 'greedy' });
  keep(load.streams, () => openPage(url, idle, 'greedy').then(() => pause(60_000)));
  await pause(3_000);
  createServer((_, response) => response.end('ok')).listen(ownPort, '127.0.0.1');
}

/** Repeats the work forever. Backs off when it is refused, as Parley's own client does. */
async function repeat(work: () => Promise<unknown>): Promise<void> {
  for (let failures = 0; ; ) {
    try {
      await work();
      failures = 0;
    } catch {
      failures += 1;
      await pause(withJitter(backoffMs(failures, { firstMs: 400, longestMs: 8_000 }), Math.random));
    }
  }
}
