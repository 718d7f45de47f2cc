// Random interleavings of prompts, readers, disconnects, decisions and interrupts: the gateway keeps its promises in any
// order.
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Envelope } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Harness, say, scripted, startHarness } from '../support/gateway-harness.ts';

const runs = process.env['PARLEY_LONG'] ? 2_000 : 150;

const step = fc.oneof(
  fc.constantFrom('text 1', 'text 7', 'tool', 'ask Bash', 'ask Edit', 'usage').map((script) => script),
  fc.constantFrom('fail', 'throw', 'wait'),
);
const script = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => steps.join(' | '));
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('prompt' as const),
      script,
      key: fc.constantFrom('', 'k1', 'k2'),
      isAlone: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('read' as const), from: fc.nat(100), stopAfter: fc.nat(30) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      allow: fc.boolean(),
      forSession: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'interrupt' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'withdraw' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reorder' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'sleep' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'come up' as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pause' as const), ticks: fc.nat(12) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

interface Reading {
  readonly after: number;
  readonly seen: number[];
}

describe('any interleaving', () => {
  it('keeps the numbers complete, runs one turn at a time and settles each permission once [notes.session.subscribe-no-gap] [notes.session.turn-ends-once]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 25 }), async (actions) => {
        // A tiny log, so that readers read from the store, from memory and across the boundary.
        const harness = await startHarness({ limits: { log: { events: 5, bytes: 1_000_000 }, queue: 6 } });
        try {
          await checkInterleaving(harness, actions);
        } finally {
          await harness.close();
        }
      }),
      { numRuns: runs },
    );
  });
});

async function checkInterleaving({ gateway, engine }: Harness, actions: readonly Action[]): Promise<void> {
  const session = await gateway.createSession('petra', scripted);
  const admitted = new Set<string>();
  const withdrawn = new Set<string>();
  const admissions: Promise<void>[] = [];
  const readings: Promise<Reading>[] = [];
  const decidedTrue = new Map<string, number>();
  const stop = new AbortController();

  for (const next of actions) await act(next);
  engine.comeUp();
  await Promise.all(admissions);
  await settleAll();
  stop.abort();
  const log = await wholeLog();
  checkNumbers(log, await Promise.all(readings));
  checkTurns(log);
  checkPermissions(log);
  expect(engine.maxAtOnce).toBeLessThanOrEqual(1);
  for (const runsOfTool of engine.toolRuns.values()) expect(runsOfTool).toBeLessThanOrEqual(4);

  async function act(next: Action): Promise<void> {
    switch (next.do) {
      case 'prompt': {
        const admission = prompt(next.script, next.key);
        // Some arrive while the previous one is still being admitted.
        if (next.isAlone) await admission;
        else admissions.push(admission);
        return;
      }
      case 'read':
        readings.push(read(next.from, next.stopAfter));
        return;
      case 'decide': {
        const [open] = (await gateway.state('petra', session.id)).permissions;
        if (!open) return;
        const decision = next.allow
          ? ({ behavior: 'allow', scope: next.forSession ? 'session' : 'once' } as const)
          : ({ behavior: 'deny' } as const);
        const answers = await Promise.all([
          gateway.decide('petra', session.id, open.id, decision),
          gateway.decide('petra', session.id, open.id, decision),
        ]);
        decidedTrue.set(open.id, (decidedTrue.get(open.id) ?? 0) + answers.filter(Boolean).length);
        return;
      }
      case 'interrupt':
        await gateway.interrupt('petra', session.id);
        return;
      case 'withdraw': {
        const last = (await gateway.state('petra', session.id)).queue.at(-1);
        if (last && (await gateway.withdraw('petra', session.id, last.turnId))) withdrawn.add(last.turnId);
        return;
      }
      case 'reorder': {
        const { queue } = await gateway.state('petra', session.id);
        await gateway.reorder('petra', session.id, queue.map(({ turnId }) => turnId).reverse());
        return;
      }
      case 'sleep':
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

  async function prompt(text: string, key: string): Promise<void> {
    const request = { person: 'petra', session: session.id, prompt: say(text), door: 'test' };
    const outcome = await gateway.prompt(key ? { ...request, key } : request).catch((error) => error);
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'busy' });
    else admitted.add(outcome.turnId);
  }

  async function read(from: number, stopAfter: number): Promise<Reading> {
    const { lastSeq } = await gateway.state('petra', session.id);
    const after = Math.min(from, lastSeq);
    const seen: number[] = [];
    for await (const { seq } of gateway.subscribe('petra', session.id, { after, signal: stop.signal })) {
      seen.push(seq);
      if (seen.length > stopAfter) break;
    }
    return { after, seen };
  }

  async function settleAll(): Promise<void> {
    for (;;) {
      const { running, queue } = await gateway.state('petra', session.id);
      if (!running && queue.length === 0) return;
      await gateway.interrupt('petra', session.id);
      await nextTick();
    }
  }

  async function wholeLog(): Promise<Envelope[]> {
    const { lastSeq } = await gateway.state('petra', session.id);
    const log: Envelope[] = [];
    if (lastSeq === 0) return log;
    for await (const envelope of gateway.subscribe('petra', session.id, { after: 0 })) {
      log.push(envelope);
      if (envelope.seq === lastSeq) break;
    }
    return log;
  }

  function checkNumbers(log: Envelope[], finished: readonly Reading[]): void {
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    for (const { after, seen } of finished) expect(seen).toEqual(seen.map((_, index) => after + 1 + index));
  }

  function checkTurns(log: Envelope[]): void {
    let running: string | undefined;
    const ended = new Set<string>();
    for (const { turnId, event } of log) {
      if (event.type === 'queue.changed') continue;
      if (event.type === 'turn.started') {
        expect(running).toBeUndefined();
        running = turnId;
      }
      expect(turnId).toBe(running);
      if (event.type !== 'turn.ended') continue;
      expect(ended.has(turnId ?? '')).toBe(false);
      ended.add(turnId ?? '');
      running = undefined;
    }
    expect(ended).toEqual(new Set([...admitted].filter((id) => !withdrawn.has(id))));
  }

  function checkPermissions(log: Envelope[]): void {
    const open = new Set<string>();
    const settled = new Set<string>();
    for (const { event } of log) {
      if (event.type === 'permission.asked') open.add(event.id);
      if (event.type === 'permission.settled') {
        expect(open.delete(event.id)).toBe(true);
        expect(settled.has(event.id)).toBe(false);
        settled.add(event.id);
      }
      if (event.type === 'turn.ended') expect(open.size).toBe(0);
    }
    for (const [id, count] of decidedTrue) {
      expect(count).toBeLessThanOrEqual(1);
      expect(settled.has(id)).toBe(true);
    }
  }
}
