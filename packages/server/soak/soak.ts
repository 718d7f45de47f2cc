// Uses every door of a server at once, with faults, for as long as the command line says, and fails if the server
// grows: memory, descriptors, processes, files, latency. It works in rounds, and measures between them, at rest. Visits
// named on the command line run alone.
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Figure, percentile, report } from '../../../bench/report.ts';
import { type Random, seededRandom } from '../../../fuzz/random.ts';
import { apiKey } from '../bench/parts/processes.ts';
import { growthFigure } from './parts/growth.ts';
import { descendantsOf, isRunning, type Reading, readAtRest } from './parts/readings.ts';
import { openSoakServer, type SoakServer } from './parts/soak-server.ts';
import { visits } from './parts/visits.ts';

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { ...text, default: '10' },
    hours: text,
    rounds: text,
    visits: { ...text, default: '100' },
    seed: text,
  },
});
const minutes = values.hours === undefined ? Number(values.minutes) : 60 * Number(values.hours);
const seed = Number(values.seed ?? Date.now() % 1e6);
const visitsPerRound = Number(values.visits);
const atOnce = 6;

interface Round extends Reading {
  readonly latencies: readonly number[];
}

// The server ends with this process.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const place = await openSoakServer();
try {
  const rounds: Round[] = [];
  const failures: string[] = [];
  const random = seededRandom(seed);
  const until = Date.now() + minutes * 60_000;
  const isOver = () =>
    values.rounds === undefined ? Date.now() >= until : rounds.length >= Number(values.rounds);
  console.log(`seed ${seed}`);
  while (!isOver()) {
    const latencies = await runRound(place, random, rounds.length, failures);
    const reading = await readAtRest(place);
    rounds.push({ ...reading, latencies });
    console.log(lineOf(rounds.length, reading, latencies));
  }
  const children = descendantsOf(place.server.pid);
  await place.stop();
  // One of them watches the others and ends after the server.
  for (let tries = 0; tries < 100 && children.some(isRunning); tries += 1) await pause(100);
  report('soak', figuresOf(rounds, failures.length, children.filter(isRunning).length));
  for (const failure of failures.slice(0, 20)) console.log(failure);
} finally {
  await place.close();
}

/** Returns how long a common request took after each visit. */
async function runRound(
  place: SoakServer,
  random: Random,
  round: number,
  failures: string[],
): Promise<number[]> {
  const latencies: number[] = [];
  const wanted = visits.filter(([name]) => positionals.length === 0 || positionals.includes(name));
  const chosen = wanted.flatMap((visit) => Array.from({ length: visit[1] }, () => visit));
  let left = visitsPerRound;
  const visit = async (_: unknown, visitor: number) => {
    while (left > 0) {
      left -= 1;
      const number = round * visitsPerRound + left;
      const [name, , use] = random.pick(chosen);
      await use(place, random, number, visitor).catch((error: unknown) => {
        failures.push(`visit ${number}, ${name}: ${String(error)}`);
      });
      latencies.push(await timeOfList(place));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, visit));
  return latencies;
}

async function timeOfList({ server }: SoakServer): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${server.url}/api/sessions?limit=20`, {
    headers: { 'x-api-key': apiKey, 'x-notes-person': 'bench' },
  });
  await response.arrayBuffer();
  return performance.now() - start;
}

function figuresOf(rounds: readonly Round[], failures: number, leftovers: number): readonly Figure[] {
  const all = (value: (round: Round) => number) => rounds.map(value);
  const none = { atMost: 0 };
  return [
    {
      what: 'visits that went wrong',
      value: failures,
      unit: `of ${rounds.length * visitsPerRound}`,
      goal: none,
    },
    growthFigure(
      'heap after a garbage collection',
      'MB',
      all(({ heapMb }) => heapMb),
      { share: 0.1, more: 3 },
    ),
    growthFigure(
      'resident memory',
      'MB',
      all(({ residentMb }) => residentMb),
      { share: 0.15, more: 10 },
    ),
    growthFigure(
      'descriptors',
      '',
      all(({ descriptors }) => descriptors),
      { share: 0, more: 20 },
    ),
    growthFigure(
      'processes',
      '',
      all(({ processes }) => processes),
      { share: 0, more: 0 },
    ),
    growthFigure(
      'files',
      '',
      all(({ files }) => files),
      { share: 0, more: 5 },
    ),
    growthFigure(
      'time of a request, p99',
      'ms',
      all(({ latencies }) => percentile(latencies, 0.99)),
      {
        share: 1,
        more: 20,
      },
    ),
    { what: 'processes that outlive the server', value: leftovers, unit: '', goal: none },
  ];
}

function lineOf(round: number, reading: Reading, latencies: readonly number[]): string {
  const { heapMb, residentMb, descriptors, processes, files } = reading;
  const memory = `heap ${heapMb.toFixed(1)} MB, RSS ${residentMb.toFixed(0)} MB`;
  const counts = `${descriptors} descriptors, ${processes} processes, ${files} files`;
  return `round ${round}: ${memory}, ${counts}, p99 ${percentile(latencies, 0.99).toFixed(0)} ms`;
}
