// Measures the session list and the newest messages of long transcripts, compared with a bare read loop and the SDK.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Figure, percentile, report } from '../../../bench/report.ts';
import { readTranscriptPage } from '../src/index.ts';
import { type Measured, roles } from './parts/list-roles.ts';
import { type Library, makeLibrary, makeTranscript } from './parts/made-up-transcripts.ts';

const MB = 1024 * 1024;
/** Enough for each candidate to get a quiet moment on a busy machine. */
const ROUNDS = 12;
const short: Library = { files: 200, large: 1, totalBytes: 100 * MB };
const long: Library = { files: 2000, large: 10, totalBytes: 1024 * MB };

const { values } = parseArgs({
  options: { full: { type: 'boolean', default: false }, role: { type: 'string' }, root: { type: 'string' } },
  strict: false,
});

if (typeof values.role === 'string') await play(values.role, String(values.root));
else await measure(values.full === true ? long : short);

async function measure(library: Library): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  try {
    const root = join(folder, 'projects');
    makeLibrary(root, library);
    const size = `${library.files} transcripts of ${Math.round(library.totalBytes / MB)} MB`;
    console.log(`${size}, warm file cache`);
    report('transcripts', [...listFigures(root), ...(await pageFigures(folder))]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function listFigures(root: string): Figure[] {
  // Read all files first: that fills the file cache and shows what the list should be.
  const expected = runRole('fullParse', root).list ?? [];
  const nothing = runRole('nothing', root);
  const sdk = runRole('sdk', root);
  // In turn, so that a busy moment hits all of them.
  const rounds = Array.from({ length: ROUNDS }, () => ({
    stat: runRole('floorStat', root),
    read: runRole('floorRead', root),
    page: runRole('firstPage', root),
    whole: runRole('whole', root),
  }));

  const best = (of: keyof (typeof rounds)[number], name: string) =>
    Math.min(...rounds.map((round) => round[of].ms[name] ?? NaN));
  const floor = best('read', 'readAll');
  const stat = best('stat', 'statAll');
  const whole = best('whole', 'whole');
  const cached = best('whole', 'cached');
  const sdkMs = (sdk.ms['whole'] ?? NaN).toFixed(0);
  const comparison = `64 KB at head and tail of each: ${floor.toFixed(0)} ms; SDK listSessions(): ${sdkMs} ms`;
  // Each round appends to a file, which moves it to the front, so only the first round has the order of the full parse.
  const listed = rounds[0]?.whole.list ?? [];
  const wrong = expected.filter(([id, title], i) => listed[i]?.join() !== `${id},${title}`).length;
  return [
    {
      what: 'first page of 50',
      value: best('page', 'firstPage'),
      unit: 'ms',
      goal: { atMost: 100 },
      comparison,
    },
    { what: 'whole index', value: whole, unit: 'ms', comparison },
    { what: 'whole index / floor', value: whole / floor, unit: '×', goal: { atMost: 1.5 } },
    {
      what: 'first page with a filled cache',
      value: cached,
      unit: 'ms',
      comparison: `stat of every file: ${stat.toFixed(1)} ms`,
    },
    { what: 'filled cache / stat', value: cached / stat, unit: '×', goal: { atMost: 3 } },
    { what: 'a later page', value: best('whole', 'laterPage'), unit: 'ms', goal: { atMost: 5 } },
    { what: 'a page after one file grew', value: best('whole', 'oneGrew'), unit: 'ms', goal: { atMost: 5 } },
    {
      what: 'peak memory',
      value: Math.min(...rounds.map((round) => round.whole.peakMb)),
      unit: 'MB',
      goal: { atMost: 150 },
      comparison: `SDK: ${sdk.peakMb.toFixed(0)} MB; Node alone: ${nothing.peakMb.toFixed(0)} MB`,
    },
    {
      what: 'titles or positions that differ from a full parse',
      value: wrong,
      unit: `of ${expected.length}`,
      goal: { atMost: 0 },
    },
  ];
}

async function pageFigures(folder: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of [50, 200]) {
    const project = join(folder, `long-${size}`);
    mkdirSync(project);
    const file = makeTranscript(project, size, size * MB);
    const samples: number[] = [];
    for (let round = 0; round < 30; round += 1) {
      const start = performance.now();
      const page = await readTranscriptPage(file, { limit: 50 });
      samples.push(performance.now() - start);
      if (page.messages.length !== 50) throw new Error('expected 50 messages');
    }
    const what = `last 50 messages of ${size} MB`;
    figures.push({
      what,
      value: percentile(samples, 0.5),
      unit: 'ms',
      goal: { atMost: 5 },
      comparison: `first time ${samples[0]?.toFixed(1)} ms`,
    });
  }
  return figures;
}

function runRole(role: string, root: string): Measured & { readonly peakMb: number } {
  const args = ['--role', role, '--root', root];
  const { stdout, status, stderr } = spawnSync(process.execPath, [process.argv[1] ?? '', ...args], {
    maxBuffer: 64 * MB,
  });
  if (status !== 0) throw new Error(`role ${role} failed: ${stderr.toString()}`);
  return JSON.parse(stdout.toString()) as Measured & { peakMb: number };
}

async function play(role: string, root: string): Promise<void> {
  const measured = await roles[role]?.(root);
  const peakMb = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(JSON.stringify({ ...measured, peakMb }));
}
