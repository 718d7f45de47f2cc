// Crashes at any write, even during recovery: the gateway keeps its promises whatever the database then contains. A
// crash is a copy of the files at that moment, because that is all that a killed process leaves behind.
import { copyFileSync, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Envelope, Turn } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/domain/store.ts';
import { type Harness, readUntil, say, scripted, startHarness } from '../support/gateway-harness.ts';

const runs = process.env['PARLEY_LONG'] ? 1_000 : 60;

/** Numbers jump at every recovery; a log of this size still forgets nothing. */
const limits = { keptEvents: 1_000_000 };

const step = fc.constantFrom('text 1', 'text 3', 'begin', 'tool', 'usage', 'fail', 'throw', 'wait');
const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('prompt' as const),
      steps: fc.array(step, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'interrupt' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'withdraw' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reorder' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'sleep' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'come up' as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pause' as const), ticks: fc.nat(8) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** What clients have seen and what tools have done when the crash happens. */
interface Known {
  readonly admitted: Set<string>;
  readonly withdrawn: Set<string>;
  readonly seen: Envelope[];
  readonly toolRuns: Map<string, number>;
}

describe('a crash at any write', () => {
  it('loses no prompt, runs no tool twice and ends every turn once [notes.session.turn-ends-once]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { minLength: 1, maxLength: 12 }),
        fc.nat(60),
        fc.nat(10),
        async (actions, first, second) => {
          const folder = await mkdtemp(join(tmpdir(), 'parley-crashes-'));
          try {
            await checkCrashes(folder, actions, [first, second]);
          } finally {
            await rm(folder, { recursive: true, force: true });
          }
        },
      ),
      { numRuns: runs },
    );
  }, 240_000);
});

async function checkCrashes(
  folder: string,
  actions: readonly Action[],
  [first, second]: readonly [number, number],
): Promise<void> {
  const known: Known = { admitted: new Set(), withdrawn: new Set(), seen: [], toolRuns: new Map() };
  const files = ['first.db', 'second.db', 'third.db'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const session = await live(files[0], files[1], first, known, async ({ gateway, engine }, knownNow) => {
    const { id } = await gateway.createSession('petra', scripted);
    const reading = read(gateway, id, knownNow);
    for (const [index, next] of actions.entries()) await act(next, index);
    engine.comeUp();
    await reading.stop();
    return id;

    async function act(next: Action, index: number): Promise<void> {
      switch (next.do) {
        case 'prompt': {
          const text = next.steps.map((each) => (each === 'begin' ? `begin part${index}` : each)).join(' | ');
          const { turnId } = await gateway.prompt({
            person: 'petra',
            session: id,
            prompt: say(text),
            door: 'test',
          });
          knownNow.admitted.add(turnId);
          return;
        }
        case 'interrupt':
          await gateway.interrupt('petra', id);
          return;
        case 'withdraw': {
          const last = (await gateway.state('petra', id)).queue.at(-1);
          if (last && (await gateway.withdraw('petra', id, last.turnId))) knownNow.withdrawn.add(last.turnId);
          return;
        }
        case 'reorder': {
          const { queue } = await gateway.state('petra', id);
          await gateway.reorder('petra', id, queue.map(({ turnId }) => turnId).reverse());
          return;
        }
        case 'sleep':
          // A log without stored events starts over, so it is unloaded only after a whole turn.
          if (!knownNow.seen.some(({ event }) => event.type === 'turn.ended')) return;
          engine.fallAsleep();
          return;
        case 'come up':
          engine.comeUp();
          return;
        case 'pause':
          for (let tick = 0; tick < next.ticks; tick += 1) await nextTick();
          return;
        default:
          next satisfies never;
      }
    }
  });
  if (!existsSync(files[1])) return;

  await live(files[1], files[2], second, known, async ({ gateway, store }) => {
    if (!(await store.getSession(session))) return;
    await gateway.recover();
    for (let tick = 0; tick < 5; tick += 1) await nextTick();
  });
  const last = existsSync(files[2]) ? files[2] : files[1];
  const harness = await startHarness({ file: last, limits });
  try {
    await check(harness, session, known);
  } finally {
    await harness.close();
  }
}

async function check({ gateway, store, engine }: Harness, id: string, known: Known): Promise<void> {
  if (!(await store.getSession(id))) {
    expect(known.admitted.size).toBe(0);
    return;
  }
  await gateway.recover();
  await settle(gateway, id);
  const turns = await store.listTurns(id);
  const log = await wholeLog(gateway, id);
  checkNumbers(log, known.seen);
  for (const turn of turns) checkTurn(turn, log, known);
  for (const turnId of known.admitted) expect(turns.map((turn) => turn.id)).toContain(turnId);
  for (const [turnId, count] of engine.toolRuns)
    expect(known.toolRuns.get(turnId) ?? 0, `${count} more runs`).toBe(0);
  const said = JSON.stringify(await store.recentMessages(id, () => true));
  const parts = said.match(/"text":"part\d+"/g) ?? [];
  expect(parts).toEqual([...new Set(parts)]);
}

function checkTurn(turn: Turn, log: readonly Envelope[], { withdrawn, seen }: Known): void {
  const ends = log.filter(({ turnId, event }) => turnId === turn.id && event.type === 'turn.ended');
  if (withdrawn.has(turn.id)) expect(turn.status).toBe('withdrawn');
  if (turn.status === 'withdrawn') return expect(ends).toEqual([]);
  expect(['completed', 'failed', 'interrupted']).toContain(turn.status);
  expect(ends).toHaveLength(1);
  expect(ends[0]?.event).toMatchObject({ outcome: turn.status });
  const seenEnd = seen.find(({ turnId, event }) => turnId === turn.id && event.type === 'turn.ended');
  if (seenEnd) expect(ends[0]).toEqual(seenEnd);
}

/** A number that somebody has seen is never used for another event. */
function checkNumbers(log: readonly Envelope[], seen: readonly Envelope[]): void {
  const numbers = log.map(({ seq }) => seq);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  const kept = new Map(log.map((envelope) => [envelope.seq, envelope]));
  for (const envelope of seen) {
    const same = kept.get(envelope.seq);
    if (same) expect({ ...same, at: envelope.at }).toEqual(envelope);
  }
}

/** Runs a server until it is done, and copies its files at the given write, counted before and after each write. */
async function live<T>(
  file: string,
  copy: string,
  crashAt: number,
  known: Known,
  use: (harness: Harness, known: Known) => Promise<T>,
): Promise<T> {
  const now: Known = structuredClone(known);
  let moment = 0;
  const harness = await startHarness({ file, limits, wrap: (store) => watchWrites(store, passMoment) });
  function passMoment(): void {
    if (moment === crashAt) crash();
    moment += 1;
  }
  function crash(): void {
    for (const suffix of ['', '-wal'])
      if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
    Object.assign(
      known,
      structuredClone({ ...now, toolRuns: plus(known.toolRuns, harness.engine.toolRuns) }),
    );
  }
  try {
    return await use(harness, now);
  } finally {
    await harness.close();
  }
}

const writes = new Set<string | symbol>([
  'together',
  'admit',
  'createSession',
  'updateTurn',
  'updateSession',
  'reorderTurns',
  'appendMessages',
  'appendEvents',
  'pruneEvents',
]);

/** Commits each call separately: only `together` makes writes atomic. */
function watchWrites<S extends Store>(store: S, passMoment: () => void): S {
  let writing: Promise<unknown> = Promise.resolve();
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (!writes.has(name) || typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        const result = writing.then(async () => {
          passMoment();
          const written: unknown = await method.apply(target, args);
          passMoment();
          return written;
        });
        writing = result.catch(() => undefined);
        return result;
      };
    },
  });
}

function read(gateway: Harness['gateway'], id: string, { seen }: Known) {
  const controller = new AbortController();
  const reading = (async () => {
    for await (const envelope of gateway.subscribe('petra', id, { after: 0, signal: controller.signal }))
      seen.push(envelope);
  })();
  return {
    stop() {
      controller.abort();
      return reading;
    },
  };
}

async function settle(gateway: Harness['gateway'], id: string): Promise<void> {
  for (;;) {
    const { running, queue } = await gateway.state('petra', id);
    if (!running && queue.length === 0) return;
    await gateway.interrupt('petra', id);
    await nextTick();
  }
}

/** What a reader gets who has seen nothing yet. */
async function wholeLog(gateway: Harness['gateway'], id: string): Promise<readonly Envelope[]> {
  const { lastSeq } = await gateway.state('petra', id);
  return lastSeq === 0 ? [] : readUntil(gateway, 'petra', id, 0, ({ seq }) => seq === lastSeq);
}

function plus(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): Map<string, number> {
  const sum = new Map(a);
  for (const [id, count] of b) sum.set(id, (sum.get(id) ?? 0) + count);
  return sum;
}
