// Several servers on PostgreSQL, compared with one server on SQLite in the same run: what it costs that a session has an
// owner, what a second server adds, and how long it takes until another server continues.
import { parseArgs } from 'node:util';
import { type Figure, report } from '../../../bench/report.ts';
import { growthFigures } from './parts/cluster-growth.ts';
import { drainFigures, takeoverFigures } from './parts/cluster-moves.ts';
import { admissionFigures, latencyFigures, throughputFigures } from './parts/cluster-speed.ts';
import { play } from './parts/roles.ts';

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
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
  const parts: readonly (() => Promise<readonly Figure[]>)[] = [
    () => latencyFigures(full ? 3_000 : 1_000),
    () => throughputFigures(full ? 2_000 : 500),
    () => admissionFigures(full ? 5 : 3),
    () => takeoverFigures(full ? 3 : 1),
    () => drainFigures(full ? 6 : 3),
    () => growthFigures(full ? 1_000_000 : 100_000),
  ];
  for (const part of parts) {
    const begin = performance.now();
    const measured = await part();
    // It takes minutes, so people see how far it is.
    console.log(`${measured[0]?.what}, ${Math.round((performance.now() - begin) / 1_000)} s`);
    figures.push(...measured);
  }
  console.log();
  report('cluster', figures);
}
