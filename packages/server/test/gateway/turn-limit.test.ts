// How many turns run at once in all sessions, and what happens to the others.
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

const prompt = (text: string, session: string | typeof scripted = scripted, person = 'petra') =>
  harness.gateway.prompt({ person, session, prompt: say(text), door: 'test' });
type Admitted = Awaited<ReturnType<typeof prompt>>;
const read = ({ session, after }: Admitted, isLast: (envelope: Envelope) => boolean): Promise<Envelope[]> =>
  readUntil(harness.gateway, session.person, session.id, after, isLast);
const ended = (admitted: Admitted): Promise<Envelope[]> => read(admitted, endOf(admitted.turnId));
const asked = async (admitted: Admitted) => {
  await read(admitted, ({ event }) => event.type === 'permission.asked');
  return (await state(admitted)).permissions[0]?.id ?? '';
};
const allow = (admitted: Admitted, id: string) =>
  harness.gateway.decide('petra', admitted.session.id, id, { behavior: 'allow', scope: 'once' });
const state = ({ session }: Admitted) => harness.gateway.state('petra', session.id);
const stop = ({ session }: Admitted) => harness.gateway.interrupt('petra', session.id);

describe('a prompt without a free slot', () => {
  it('waits in the queue of its session and runs when the turn of another session ends', async () => {
    await start(1);
    const first = await prompt('wait');
    const second = await prompt('text 1');

    expect(await state(second)).toMatchObject({ running: undefined, queue: [{ turnId: second.turnId }] });
    expect(await harness.store.getTurn(second.turnId)).toMatchObject({ status: 'queued' });
    await stop(first);

    const seen = (await ended(second)).map(({ event }) => event);
    expect(seen[0]).toMatchObject({ type: 'queue.changed', prompts: [{ turnId: second.turnId }] });
    expect(seen[1]).toEqual({ type: 'queue.blocked', ahead: 0 });
    expect(seen[2]).toMatchObject({ type: 'turn.started' });
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

  it('is withdrawn when it is stopped, and then takes no slot', async () => {
    await start(1);
    const first = await prompt('wait');
    const [second, third] = [await prompt('text 1'), await prompt('text 1')];

    expect(await stop(second)).toBe(true);
    expect(await stop(second)).toBe(false);
    expect(await harness.store.getTurn(second.turnId)).toMatchObject({ status: 'withdrawn' });
    await stop(first);
    expect((await ended(third)).at(-1)?.event).toMatchObject({ outcome: 'completed' });
  });

  it('stays admitted when the server stops, and gives its slot to others when its session is deleted', async () => {
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

describe('people who wait for a slot', () => {
  it('take turns, so that nobody waits behind all sessions of somebody else [channels.slots.fair]', async () => {
    await start(2);
    const running = [await prompt('wait'), await prompt('wait')];
    const many = [await prompt('text 1'), await prompt('text 1'), await prompt('text 1')];
    const late = await prompt('text 1', scripted, 'sebastian');
    expect(await harness.gateway.state('sebastian', late.session.id)).toMatchObject({ ahead: 0 });
    for (const one of running) await stop(one);
    await Promise.all([...many, late].map(ended));
    const order = harness.records.map(({ turnId }) => turnId);
    expect(order.indexOf(late.turnId)).toBeLessThan(order.indexOf(many[1]?.turnId ?? ''));
  });

  it('learn how many are ahead of them, even when that changes [channels.slots.ahead]', async () => {
    await start(1);
    const first = await prompt('wait');
    const [second, third] = [await prompt('wait'), await prompt('text 1')];
    expect(await state(third)).toMatchObject({ ahead: 1 });
    await stop(first);
    await read(second, ({ event }) => event.type === 'turn.started');
    const blocked = (await read(third, ({ event }) => event.type === 'queue.blocked' && event.ahead === 0))
      .map(({ event }) => event)
      .filter(({ type }) => type === 'queue.blocked');
    expect(blocked).toEqual([
      { type: 'queue.blocked', ahead: 1 },
      { type: 'queue.blocked', ahead: 0 },
    ]);
    await stop(second);
    await ended(third);
    expect(await state(third)).toMatchObject({ ahead: undefined });
  });
});

describe('a turn that waits for a decision', () => {
  it('lends its slot, and continues before turns that have not started [channels.slots.open-permission]', async () => {
    await start(1);
    const asking = await prompt('ask Bash | text 1');
    const id = await asked(asking);
    await ended(await prompt('text 1'));

    const holder = await prompt('wait');
    const waiting = await prompt('text 1');
    expect(await allow(asking, id)).toBe(true);
    await stop(holder);
    await Promise.all([asking, waiting].map(ended));
    expect(harness.records.slice(-2).map(({ turnId }) => turnId)).toEqual([asking.turnId, waiting.turnId]);
  });

  it('can be stopped although no slot is free, and takes none with it', async () => {
    await start(1);
    const asking = await prompt('ask Bash');
    await asked(asking);
    const holder = await prompt('wait');
    expect(await stop(asking)).toBe(true);
    const last = await prompt('text 1');
    await stop(holder);
    await ended(last);
    expect(harness.engine.slots.tryTake('')).toBe(true);
    expect(harness.engine.slots.tryTake('')).toBe(false);
  });

  it('gives up when too many others wait for a decision too, the longest first [channels.slots.open-permission]', async () => {
    await start(2);
    const asking = [await prompt('ask Bash'), await prompt('ask Bash'), await prompt('ask Bash')];
    const [given, ...open] = asking;
    const seen = (given ? await ended(given) : []).map(({ event }) => event);
    expect(seen).toContainEqual(expect.objectContaining({ type: 'permission.settled', reason: 'cancelled' }));
    for (const one of open) expect(await allow(one, await asked(one))).toBe(true);
    await Promise.all(asking.map(ended));
  });

  it('holds no slot after it ended with an open question', async () => {
    await start(1);
    const left = await prompt('leave Bash | text 1');
    await ended(left);
    await ended(await prompt('text 1', left.session.id));
    expect(harness.engine.slots.tryTake('')).toBe(true);
    expect(harness.engine.slots.tryTake('')).toBe(false);
  });
});

describe('any mix of sessions', () => {
  it('never runs more turns at once than there are slots, and answers every prompt', async () => {
    const many = fc.array(fc.tuple(fc.nat(4), fc.constantFrom('text 1', 'tool', 'fail', 'throw')), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(many, fc.integer({ min: 1, max: 3 }), async (prompts, slots) => {
        const gateway = await start(slots);
        const sessions = await Promise.all(
          [0, 1, 2, 3, 4].map(() => gateway.createSession('petra', scripted)),
        );
        const admitted = await Promise.all(prompts.map(([at, script]) => prompt(script, sessions[at]?.id)));
        await Promise.all(admitted.map(ended));

        expect(harness.engine.maxInAll).toBeLessThanOrEqual(slots);
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
    const slots = new Slots(1);
    const leaving = new AbortController();
    const { signal } = new AbortController();
    expect(await slots.take({ signal })).toBe(true);
    const [left, stays] = [slots.take({ signal: leaving.signal }), slots.take({ signal })];
    leaving.abort();
    slots.release();

    expect(await Promise.all([left, stays, slots.take({ signal: leaving.signal })])).toEqual([
      false,
      true,
      false,
    ]);
    expect(slots.tryTake()).toBe(false);
  });
});
