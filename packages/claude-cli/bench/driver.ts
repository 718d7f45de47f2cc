// Measures what the driver adds to a live program: CPU and latency per frame, and the time to the first token. Compares
// it with a reader that only counts newlines, and with the official SDK.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeFrameWriter } from '../../../bench/frame-writer.ts';
import { type Figure, percentile, report } from '../../../bench/report.ts';
import { roles } from './parts/driver-roles.ts';

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    role: { type: 'string' },
    setup: { type: 'string' },
  },
  strict: false,
});

if (typeof values.role === 'string') await play(values.role, String(values.setup));
else await measure(values.full === true);

async function measure(full: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const workingDir = join(folder, 'work');
  mkdirSync(workingDir);
  const standIn = startRole('stand-in', {}, {});
  try {
    const [url] = (await once(standIn.stdout?.setEncoding('utf8') as NodeJS.EventEmitter, 'data')) as [
      string,
    ];
    const environment = {
      HOME: folder,
      PATH: '/usr/bin:/bin',
      ANTHROPIC_BASE_URL: url.trim(),
      ANTHROPIC_API_KEY: 'stand-in-key',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    };
    const run = (role: string, setup: object = {}) => runRole(role, { workingDir, ...setup }, environment);
    report('driver', [
      ...(await cpuFigures(run, full)),
      ...(await latencyFigures(run, makeFrameWriter(folder), full)),
      ...(await firstTokenFigures(run, full)),
    ]);
  } finally {
    standIn.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Measured = Readonly<Record<string, number | readonly number[]>>;
type RunRole = (role: string, setup?: object) => Promise<Measured>;

async function cpuFigures(run: RunRole, full: boolean): Promise<Figure[]> {
  const deltas = full ? 100_000 : 20_000;
  // Many rounds, because program and kernel batch frames unpredictably, and a chunk costs more than its frames.
  const rounds = 9;
  const readers = ['counter', 'frames', 'events', 'sdk'] as const;
  const cpu: Record<(typeof readers)[number], number[]> = { counter: [], frames: [], events: [], sdk: [] };
  const speeds: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const reader of round % 2 === 0 ? readers : readers.toReversed()) {
      const measured = await run(reader, { deltas });
      cpu[reader].push(measured['cpuUs'] as number);
      if (reader === 'counter') speeds.push(measured['framesPerSecond'] as number);
    }
  }
  const best = (reader: (typeof readers)[number]): number => Math.min(...cpu[reader]);
  // Compare in pairs: runs close in time saw the same machine load.
  const ratio = (ours: (typeof readers)[number], theirs: (typeof readers)[number]): number =>
    percentile(
      cpu[ours].map((value, round) => value / (cpu[theirs][round] ?? Number.NaN)),
      0.5,
    );
  const speed = `${deltas} deltas at ${Math.round(percentile(speeds, 0.5))} frames/s`;
  return [
    { what: 'CPU per frame, counting newlines', value: best('counter'), unit: 'µs', comparison: speed },
    { what: 'CPU per frame, verbatim frames', value: best('frames'), unit: 'µs' },
    { what: 'CPU per frame, events', value: best('events'), unit: 'µs' },
    { what: 'CPU per frame, SDK query()', value: best('sdk'), unit: 'µs' },
    {
      what: 'verbatim frames / counting newlines',
      value: ratio('frames', 'counter'),
      unit: '×',
      goal: { atMost: 1.15 },
    },
    { what: 'verbatim frames / SDK query()', value: ratio('frames', 'sdk'), unit: '×', goal: { atMost: 1 } },
    { what: 'events / SDK query()', value: ratio('events', 'sdk'), unit: '×', goal: { atMost: 1 } },
  ];
}

/** Takes the fastest round of each reader, because a busy machine only adds to it. */
async function latencyFigures(run: RunRole, program: string, full: boolean): Promise<Figure[]> {
  const deltas = full ? 20_000 : 3_000;
  const rounds: Record<'bare-latency' | 'our-latency', number[][]> = {
    'bare-latency': [],
    'our-latency': [],
  };
  for (let round = 0; round < 3; round += 1) {
    for (const role of ['bare-latency', 'our-latency'] as const) {
      rounds[role].push((await run(role, { deltas, program }))['latencies'] as number[]);
    }
  }
  const best = (role: 'bare-latency' | 'our-latency', p: number): number =>
    Math.min(...rounds[role].map((latencies) => percentile(latencies, p)));
  return [
    { name: 'p50', p: 0.5, goal: 0.1 },
    { name: 'p99', p: 0.99, goal: 1 },
  ].map(({ name, p, goal }) => {
    const [ours, bare] = [best('our-latency', p), best('bare-latency', p)];
    return {
      what: `latency added to a frame, ${name}`,
      value: (ours - bare) / 1_000,
      unit: 'ms',
      goal: { atMost: goal },
      comparison: `${ours.toFixed(0)} µs vs ${bare.toFixed(0)} µs, 1,000 frames/s`,
    };
  });
}

async function firstTokenFigures(run: RunRole, full: boolean): Promise<Figure[]> {
  const rounds = full ? 25 : 8;
  const times: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const role of ['bare', 'our', 'pool']) {
      for (const [name, value] of Object.entries(await run(`${role}-first-token`))) {
        (times[`${role} ${name}`] ??= []).push(value as number);
      }
    }
  }
  const middle = (name: string): number => percentile(times[name] ?? [], 0.5);
  const bare = (name: string): string => `bare: ${middle(`bare ${name}`).toFixed(0)} ms`;
  const ratio = middle('our warm') / middle('bare warm');
  return [
    { what: 'first token, warm process', value: middle('our warm'), unit: 'ms', comparison: bare('warm') },
    { what: 'first token, warm / bare warm', value: ratio, unit: '×', goal: { atMost: 1.1 } },
    { what: 'first token, cold process', value: middle('our cold'), unit: 'ms', comparison: bare('cold') },
    {
      what: 'first token, from the pool',
      value: middle('pool pooled'),
      unit: 'ms',
      comparison: `its second turn: ${middle('pool second').toFixed(0)} ms`,
    },
    {
      what: 'first token, from the pool / warm',
      value: middle('pool pooled') / middle('our warm'),
      unit: '×',
      goal: { atMost: 1.1 },
    },
  ];
}

async function runRole(role: string, setup: object, environment: Record<string, string>): Promise<Measured> {
  const child = startRole(role, setup, environment);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`role ${role} failed`);
  return JSON.parse(output) as Measured;
}

function startRole(role: string, setup: object, environment: Record<string, string>): ChildProcess {
  const args = [process.argv[1] ?? '', `--role=${role}`, `--setup=${JSON.stringify(setup)}`];
  return spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
}

async function play(name: string, setup: string): Promise<void> {
  const role = roles[name];
  if (!role) throw new Error(`unknown role ${name}`);
  const measured = await role({
    deltas: 0,
    workingDir: '.',
    program: undefined,
    ...(JSON.parse(setup) as object),
  });
  process.stdout.write(JSON.stringify(measured), () => process.exit(0));
}
