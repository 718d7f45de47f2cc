// Turns that say more than fits into memory: everything passes through, and only so much is kept.
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Envelope } from '@parley/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { maxKeptText } from '../../src/content/kept-text.ts';
import { EventLog } from '../../src/gateway/event-log.ts';
import { endOf, type Harness, readUntil, say, scripted, startHarness } from '../support/gateway-harness.ts';
import { ScriptedEngine } from '../support/scripted-engine.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

const person = 'petra';
/** 8 MB. */
const flood = 'flood 128';

async function run(engine: ScriptedEngine) {
  harness = await startHarness({ engine });
  const { gateway } = harness;
  const admitted = await gateway.prompt({ person, session: scripted, prompt: say(flood), door: 'test' });
  const { session, turnId, after } = admitted;
  return {
    ...harness,
    ...admitted,
    live: await readUntil(gateway, person, session.id, after, endOf(turnId)),
  };
}

const lettersIn = (envelopes: readonly Envelope[]) =>
  envelopes.reduce((sum, { event }) => sum + (event.type === 'text.delta' ? event.text.length : 0), 0);
const noticesIn = (envelopes: readonly Envelope[]) =>
  envelopes.flatMap(({ event }) => (event.type === 'notice' ? [event.code] : []));

describe('a very long answer', () => {
  it.each([true, false])(
    'streams in full, and only its beginning is kept, with a notice (stored: %s) [code.turn.bounded]',
    async (storesEvents) => {
      const { gateway, session, live } = await run(new ScriptedEngine({ storesEvents }));
      expect(lettersIn(live)).toBe(128 * 64 * 1024);
      expect(noticesIn(live)).toEqual(['answer-cut']);
      const end = live.at(-1)?.event;
      expect(end?.type === 'turn.ended' && end.text.length).toBe(maxKeptText);
      const [turn] = await gateway.turns(person, session.id);
      expect(turn?.text.length).toBe(maxKeptText);
    },
  );

  it('takes only so much of the database, and a late reader still gets its notice and its end', async () => {
    const { gateway, session, turnId, after, store } = await run(new ScriptedEngine());
    const stored = await store.eventsAfter(session.id, 0, 10_000);
    expect(lettersIn(stored)).toBeLessThanOrEqual(4 * 1024 * 1024);
    const late = await readUntil(gateway, person, session.id, after, endOf(turnId));
    expect(noticesIn(late)).toEqual(['answer-cut']);
    expect(late.map(({ seq }) => seq)).toEqual(late.map(({ seq }) => seq).toSorted((a, b) => a - b));
  });
});

describe('a database that hangs', () => {
  it('is never behind by more than a crash can skip, even where only some pieces are stored [cluster.numbers.leap]', async () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    let isHanging = false;
    harness = await startHarness({
      wrap: (store) =>
        new Proxy(store, {
          get(target, name) {
            const value: unknown = Reflect.get(target, name);
            if (typeof value !== 'function') return value;
            return async (...args: unknown[]) => {
              if (isHanging && (name === 'appendEvents' || name === 'together')) await opened;
              return (value as (...given: unknown[]) => unknown).apply(target, args);
            };
          },
        }),
    });
    const { gateway, store } = harness;
    const prompt = say('flood 65 | text 5000');
    const { session, turnId, after } = await gateway.prompt({
      person,
      session: scripted,
      prompt,
      door: 'test',
    });
    const isText = ({ event }: Envelope) => event.type === 'text.delta' && event.text === 'w0 ';
    await readUntil(gateway, person, session.id, after, isText);
    isHanging = true;
    for (let tick = 0; tick < 10_000; tick += 1) await nextTick();
    const { lastSeq } = await gateway.state(person, session.id);
    const ahead = lastSeq - (await store.lastSeq(session.id));
    expect(ahead).toBeGreaterThan(500);
    expect(ahead).toBeLessThan(2_048);
    open();
    await readUntil(gateway, person, session.id, after, endOf(turnId));
  });
});

describe('large events of any kind', () => {
  /** 20 of 200 KB. */
  function logOf(bytes: number): EventLog {
    const log = new EventLog(0, { events: 100, bytes });
    const input = 'x'.repeat(200 * 1024);
    for (let seq = 1; seq <= 20; seq += 1) {
      const event = { type: 'tool.started', id: `${seq}`, tool: 'Write', input } as const;
      log.append({ seq, sessionId: 's', at: 0, event });
    }
    return log;
  }

  it('are held only a few at a time by a reader that stops midway', () => {
    expect(logOf(100_000_000).after(0, 64)).toHaveLength(2);
  });

  it('are kept in memory only up to the limit', () => {
    expect(logOf(1_000_000).firstSeq).toBe(17);
  });
});
