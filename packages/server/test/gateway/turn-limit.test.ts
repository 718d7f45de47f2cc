// How many turns run at once in all sessions, and what happens to those for which there is no place.
import type { Envelope } from '@parley/protocol';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { Slots } from '../../src/basics/slots.ts';
import { endOf, type Harness, readUntil, say, scripted, startHarness } from '../support/gateway-harness.ts';
import { ScriptedEngine } from '../support/scripted-engine.ts';

let harness: Harness;
const start = async (maxTurns: number, file?: string) => {
  harness = await startHarness({ engine: new ScriptedEngine({ maxTurns }), ...(file && { file }) });
  return harness.gateway;
};
afterEach(() => harness.close());

const prompt = (text: string, session: string | typeof scripted = scripted) =>
  harness.gateway.prompt({ person: 'petra', session, prompt: say(text), door: 'test' });
type Admitted = Awaited<ReturnType<typeof prompt>>;
const ended = ({ session, turnId, after }: Admitted): Promise<Envelope[]> =>
  readUntil(harness.gateway, 'petra', session.id, after, endOf(turnId));
const state = ({ session }: Admitted) => harness.gateway.state('petra', session.id);
const stop = ({ session }: Admitted) => harness.gateway.interrupt('petra', session.id);

describe('a prompt without a free place', () => {
  it('waits in the queue of its session and runs when the turn of another session ends', async () => {
    await start(1);
    const first = await prompt('wait');
    const second = await prompt('text 1');

    expect(await state(second)).toMatchObject({ running: undefined, queue: [{ turnId: second.turnId }] });
    expect(await harness.store.getTurn(second.turnId)).toMatchObject({ status: 'queued' });
    await stop(first);

    const seen = (await ended(second)).map(({ event }) => event);
    expect(seen[0]).toMatchObject({ type: 'queue.changed', prompts: [{ turnId: second.turnId }] });
    expect(seen[1]).toMatchObject({ type: 'turn.started' });
    expect(seen.at(-1)).toMatchObject({ outcome: 'completed' });
  });

  it('gets one in the order of admission, before the next prompt of a session that had one', async () => {
    await start(1);
    const first = await prompt('wait');
    const behind = await prompt('text 1', first.session.id);
    const others = [await prompt('text 1'), await prompt('text 1')];
    await stop(first);
    await Promise.all([behind, ...others].map(ended));

    expect(harness.records.map(({ turnId }) => turnId)).toEqual(
      [first, ...others, behind].map(({ turnId }) => turnId),
    );
  });

  it('is withdrawn when it is stopped, and then takes no place', async () => {
    await start(1);
    const first = await prompt('wait');
    const [second, third] = [await prompt('text 1'), await prompt('text 1')];

    expect(await stop(second)).toBe(true);
    expect(await stop(second)).toBe(false);
    expect(await harness.store.getTurn(second.turnId)).toMatchObject({ status: 'withdrawn' });
    await stop(first);
    expect((await ended(third)).at(-1)?.event).toMatchObject({ outcome: 'completed' });
  });

  it('stays admitted when the server stops, and gives its place to others when its session is deleted', async () => {
    const gateway = await start(1);
    const first = await prompt('wait');
    const [deleted, kept, last] = [await prompt('text 1'), await prompt('wait'), await prompt('wait')];
    await gateway.deleteSession('petra', deleted.session.id);
    await stop(first);
    await readUntil(gateway, 'petra', kept.session.id, kept.after, ({ event }) => event.type === 'message');
    await gateway.close();

    expect(await harness.store.getTurn(kept.turnId)).toMatchObject({ status: 'interrupted' });
    expect(await harness.store.getTurn(last.turnId)).toMatchObject({ status: 'queued' });
  });
});

describe('any mix of sessions', () => {
  it('never runs more turns at once than there are places, and answers every prompt', async () => {
    const many = fc.array(fc.tuple(fc.nat(4), fc.constantFrom('text 1', 'tool', 'fail', 'throw')), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(many, fc.integer({ min: 1, max: 3 }), async (prompts, places) => {
        const gateway = await start(places);
        const sessions = await Promise.all(
          [0, 1, 2, 3, 4].map(() => gateway.createSession('petra', scripted)),
        );
        const admitted = await Promise.all(prompts.map(([at, script]) => prompt(script, sessions[at]?.id)));
        await Promise.all(admitted.map(ended));

        expect(harness.engine.mostInAll).toBeLessThanOrEqual(places);
        expect(harness.records).toHaveLength(prompts.length);
        await harness.close();
      }),
      { numRuns: 60 },
    );
  });
});

describe('slots', () => {
  it('are not given to waiters that have left', async () => {
    await start(1);
    const places = new Slots(1);
    const leaving = new AbortController();
    const { signal } = new AbortController();
    expect(await places.take(signal)).toBe(true);
    const [left, stays] = [places.take(leaving.signal), places.take(signal)];
    leaving.abort();
    places.release();

    expect(await Promise.all([left, stays, places.take(leaving.signal)])).toEqual([false, true, false]);
    expect(places.tryTake()).toBe(false);
  });
});
