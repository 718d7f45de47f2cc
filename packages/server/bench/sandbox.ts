// What the sandbox adds: to the start of a process, and to a frame on its way out of it.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeFrameWriter, readBare } from '../../../bench/frame-writer.ts';
import { type Figure, percentile, report } from '../../../bench/report.ts';
import { separateHome } from '../src/engines/claude-code/program-home.ts';
import { findSandbox } from '../src/engines/claude-code/sandbox/find-sandbox.ts';
import { createSandbox } from '../src/engines/claude-code/sandbox/sandbox.ts';
import { createWorkFolders } from '../src/engines/claude-code/work-folders.ts';

const trivial = { file: '/bin/true', args: [] };
const { values } = parseArgs({ options: { full: { type: 'boolean', default: false } }, strict: false });
await measure(values.full === true);

async function measure(full: boolean): Promise<void> {
  const found = await findSandbox(process.env['PATH']);
  if (found.kind !== 'bubblewrap') return console.log('bubblewrap does not work here: nothing to measure');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-bench-')));
  const workingDir = join(folder, 'work');
  mkdirSync(workingDir);
  const folders = createWorkFolders({ roots: [{ path: workingDir }], sandbox: 'auto', found: () => found });
  const hidden = [join(folder, 'parley')];
  const sandbox = createSandbox({ found: () => found, folders, hidden, readable: [], host: {} });
  const home = await separateHome(join(folder, 'parley', 'people', 'ada', 'claude'), {});
  const confine = () => sandbox.confine({ person: 'ada', home, workingDir, mcpConfig: undefined });
  try {
    report('sandbox', [
      ...(await startFigures(confine, full ? 200 : 50)),
      ...(await frameFigures(confine, folder, full ? 20_000 : 3_000)),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Confine = () => ReturnType<ReturnType<typeof createSandbox>['confine']>;

/** Includes everything that Parley looks up before a start. */
async function startFigures(confine: Confine, rounds: number): Promise<Figure[]> {
  const [direct, confined]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    direct.push(await timed(() => void execFileSync(trivial.file)));
    confined.push(
      await timed(async () => {
        const { file, args } = (await confine())?.(trivial) ?? trivial;
        execFileSync(file, args);
      }),
    );
  }
  const figure = (share: number, name: string) => ({
    what: `time that the sandbox adds to a start, ${name}`,
    value: percentile(confined, share) - percentile(direct, share),
    unit: 'ms',
    comparison: `${percentile(confined, share).toFixed(1)} ms vs ${percentile(direct, share).toFixed(1)} ms`,
  });
  return [{ ...figure(0.5, 'p50'), goal: { atMost: 30 } }, figure(0.9, 'p90')];
}

async function frameFigures(confine: Confine, folder: string, frames: number): Promise<Figure[]> {
  const program = makeFrameWriter(folder);
  const { file, args } = (await confine())?.({ file: program, args: ['"$@"'] }) ?? trivial;
  const inside = join(folder, 'inside');
  const quoted = args.map((arg) => (arg === '"$@"' ? arg : `'${arg.replaceAll("'", `'\\''`)}'`));
  writeFileSync(inside, `#!/bin/sh\nexec ${file} ${quoted.join(' ')}\n`);
  chmodSync(inside, 0o755);
  const [direct, confined]: [number[][], number[][]] = [[], []];
  for (let round = 0; round < 3; round += 1) {
    direct.push(await readBare(program, frames));
    confined.push(await readBare(inside, frames));
  }
  // The best round of each, because a busy machine adds latency of its own.
  const best = (all: readonly number[][]) => Math.min(...all.map((ages) => percentile(ages, 0.5)));
  return [
    {
      what: 'latency that the sandbox adds to a frame, p50',
      value: best(confined) - best(direct),
      unit: 'ms',
      comparison: `${best(confined).toFixed(3)} ms vs ${best(direct).toFixed(3)} ms`,
      goal: { atMost: 0.1 },
    },
  ];
}

async function timed(work: () => void | Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
