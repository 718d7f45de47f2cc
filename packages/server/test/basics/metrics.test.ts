import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { Metrics } from '../../src/basics/metrics.ts';

const odd = 'a "quoted"\nname with \\';

it('writes metrics as the usual library does', async () => {
  const metrics = new Metrics();
  const registers = [new Registry()];

  const counted = metrics.counter('counted_total', 'Counted.', ['kind', 'name']);
  const theirCounted = new Counter({
    name: 'counted_total',
    help: 'Counted.',
    labelNames: ['kind', 'name'],
    registers,
  });
  for (const [kind, by] of [['a', 1] as const, ['b', 2.5] as const, ['a', 3] as const]) {
    counted({ kind, name: odd }, by);
    theirCounted.inc({ kind, name: odd }, by);
  }

  metrics.counter('nothing_total', 'Nothing yet.');
  const theirs: unknown[] = [new Counter({ name: 'nothing_total', help: 'Nothing yet.', registers })];
  metrics.counter('unknown_total', 'Nothing with labels yet.', ['kind']);
  const help = 'Nothing with labels yet.';
  theirs.push(new Counter({ name: 'unknown_total', help, labelNames: ['kind'], registers }));

  const buckets = [0.5, 1, 10];
  const took = metrics.histogram('took_seconds', 'Took.', buckets, ['engine']);
  const theirTook = new Histogram({
    name: 'took_seconds',
    help: 'Took.',
    buckets,
    labelNames: ['engine'],
    registers,
  });
  for (const seconds of [0.1, 0.5, 0.7, 3, 99]) {
    took({ engine: 'one' }, seconds);
    theirTook.observe({ engine: 'one' }, seconds);
  }
  metrics.histogram('lag_seconds', 'Lag.', buckets);
  theirs.push(new Histogram({ name: 'lag_seconds', help: 'Lag.', buckets, registers }));

  metrics.measure('open', 'Open.', () => [[{ wire: 'sse' }, 2]]);
  new Gauge({ name: 'open', help: 'Open.', labelNames: ['wire'], registers }).set({ wire: 'sse' }, 2);
  metrics.measure('age', 'Age.', () => Promise.resolve(7));
  new Gauge({ name: 'age', help: 'Age.', registers }).set(7);

  expect(theirs).toHaveLength(3);
  expect(await metrics.text()).toBe(await registers[0]?.metrics());
  expect(Metrics.contentType).toBe(registers[0]?.contentType);
});

it('writes NaN for what it could not measure', async () => {
  const metrics = new Metrics();
  metrics.measure('gone', 'Gone.', () => Promise.reject(new Error('no database')));
  metrics.measure('thrown', 'Thrown.', () => {
    throw new Error('no such thing');
  });
  metrics.measure('there', 'There.', () => 1);
  expect((await metrics.text()).split('\n').filter((line) => /^\w/.test(line))).toEqual([
    'gone NaN',
    'thrown NaN',
    'there 1',
  ]);
});
