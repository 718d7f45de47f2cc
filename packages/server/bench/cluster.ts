// Compares several servers on PostgreSQL with one server on SQLite: what it costs that a session has an owner, what a
// second server adds, and how long a takeover takes. `--only=growth` measures one part.
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Figure, lineOf, report } from '../../../bench/report.ts';
import { growthFigures } from './parts/cluster-growth.ts';
import { drainFigures, takeoverFigures } from './parts/cluster-moves.ts';
import { admissionFigures, latencyFigures, throughputFigures } from './parts/cluster-speed.ts';
import { play } from './parts/roles.ts';

/** A part that hangs must not keep the others from being measured. */
const maxMs = 600_000;

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    only: { type: 'string' },
    role: { type: 'string' },
    port: { type: 'string', default: '0' },
    deltas: { type: 'string', default: '200' },
  },
  strict: false,
});

if (typeof values.role === 'string') await play(values.role, Number(values.port), Number(values.deltas));
else await measure(values.full === true);

async function measure(full: boolean): Promise<void> {
  const figures: Figure[] = [];
  const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
    'added latency': () => latencyFigures(full ? 3_000 : 1_000),
    throughput: () => throughputFigures(full ? 2_000 : 500),
    'admitted prompts': () => admissionFigures(full ? 5 : 3),
    takeover: () => takeoverFigures(full ? 3 : 2),
    'clean stop': () => drainFigures(full ? 6 : 3),
    growth: () => growthFigures(1_000_000),
  };
  for (const [name, part] of Object.entries(parts)) {
    if (typeof values.only === 'string' && values.only !== name) continue;
    const begin = performance.now();
    const measured = await Promise.race([part(), tooLate()]).catch((error: unknown): Figure[] => [
      { what: name, value: Number.NaN, unit: '', goal: { atLeast: 0 }, comparison: String(error) },
    ]);
    // All parts together take minutes, so print each figure right away.
    for (const figure of measured) console.log(lineOf(figure));
    console.log(`  ${name}: ${Math.round((performance.now() - begin) / 1_000)} s`);
    figures.push(...measured);
  }
  console.log();
  report('cluster', figures);
  // Also ends what a part that timed out has left behind.
  process.exit();
}

async function tooLate(): Promise<never> {
  await pause(maxMs, undefined, { ref: false });
  throw new Error(`not measured within ${maxMs / 1_000} s`);
}
