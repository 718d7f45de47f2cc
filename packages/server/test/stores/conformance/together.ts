// Units of work: all of their writes or none, whatever goes wrong.
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Session, Turn } from '@parley/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CollectWrites, Store, UnitOfWork } from '../../../src/domain/store.ts';
import { allMessages, aMessage, aSession, aTurn, deltas } from '../fixtures.ts';
import type { OpenedStore, OpenStore } from './opened-store.ts';
import { refusal } from './rejection.ts';

const answer = aMessage('assistant', 'Buy sage');

export function togetherSuite(store: () => Store): void {
  describe('together', () => {
    it('writes everything that was added to the unit, in order', async () => {
      const { session, turn } = await runningTurn(store());
      await store().together((unit) => {
        endTurn(unit, session, turn);
        unit.updateTurn(turn.id, { text: 'Buy thyme' });
      });
      expect(await progress(store(), session, turn)).toEqual(['completed', 'Buy thyme', 'Herbs', 1, 5]);
      expect(await store().search('anna', 'sage', 5)).toHaveLength(1);
    });

    it('writes nothing when one of the writes is refused', async () => {
      const { session, turn } = await runningTurn(store());
      const failing = store().together((unit) => {
        endTurn(unit, session, turn);
        unit.appendMessages(session.id, randomUUID(), [answer]);
      });
      expect((await refusal(failing)).code).toBe('not_found');
      expect(await progress(store(), session, turn)).toEqual(untouched);
    });

    it('writes nothing when the function throws', async () => {
      const { session, turn } = await runningTurn(store());
      const failing = store().together((unit) => {
        endTurn(unit, session, turn);
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(await progress(store(), session, turn)).toEqual(untouched);
    });

    it('writes nothing when the function is asynchronous', async () => {
      const { session, turn } = await runningTurn(store());
      const late: { error?: unknown } = {};
      const asynchronous = async (unit: UnitOfWork) => {
        unit.updateTurn(turn.id, { status: 'completed' });
        await nextTick();
        try {
          unit.appendEvents(deltas(session.id, 1, 5));
        } catch (error) {
          late.error = error;
        }
      };
      const failing = store().together(asynchronous as unknown as CollectWrites);
      expect((await refusal(failing)).code).toBe('internal');
      await nextTick();
      await nextTick();
      expect(late.error).toMatchObject({ code: 'internal' });
      expect(await progress(store(), session, turn)).toEqual(untouched);
    });

    it('refuses a write that escapes the unit', async () => {
      const { session, turn } = await runningTurn(store());
      const escaped: UnitOfWork[] = [];
      await store().together((unit) => {
        escaped.push(unit);
      });
      for (const unit of escaped) {
        expect(() => unit.updateTurn(turn.id, { status: 'completed' })).toThrow('before it returns');
        expect(() => unit.appendEvents(deltas(session.id, 1, 5))).toThrow('before it returns');
      }
      expect(escaped).toHaveLength(1);
      expect(await progress(store(), session, turn)).toEqual(untouched);
    });
  });
}

/** For stores that survive a crash of their process. */
export function crashSuite(open: OpenStore): void {
  let opened: OpenedStore;

  beforeEach(async () => {
    opened = await open();
  });

  afterEach(async () => {
    await opened.store.close();
    await opened.cleanup();
  });

  it('has all writes of a unit or none, whenever the process was killed', async () => {
    const { store } = opened;
    const { session, turn } = await runningTurn(store);
    const seen = new Set<string>();
    let isDone = false;
    const ending = store
      .together((unit) => endTurn(unit, session, turn))
      .finally(() => {
        isDone = true;
      });
    for (let moment = 0; !isDone || moment < 3; moment += 1) {
      seen.add(JSON.stringify(await afterCrash((copy) => progress(copy, session, turn))));
      await nextTick();
    }
    await ending;
    const whole = ['completed', 'Buy sage', 'Herbs', 1, 5];
    expect([...seen]).toEqual([untouched, whole].map((state) => JSON.stringify(state)).slice(-seen.size));
    expect(await afterCrash((copy) => progress(copy, session, turn))).toEqual(whole);
  });

  async function afterCrash<T>(look: (store: Store) => Promise<T>): Promise<T> {
    if (!opened.crash) throw new Error('A lasting store survives a crash.');
    const left = await opened.crash();
    try {
      return await look(left.store);
    } finally {
      await left.store.close();
      await left.cleanup();
    }
  }
}

const untouched = ['running', '', 'Groceries', 0, 0];

async function progress(store: Store, { id }: Session, turn: Turn): Promise<unknown[]> {
  const { status, text } = (await store.getTurn(turn.id)) ?? turn;
  const messages = await allMessages(store, id);
  return [status, text, (await store.getSession(id))?.title, messages.length, await store.lastSeq(id)];
}

function endTurn(unit: UnitOfWork, { id }: Session, turn: Turn): undefined {
  unit.appendMessages(id, turn.id, [answer]);
  unit.appendEvents(deltas(id, 1, 5));
  unit.updateTurn(turn.id, { status: 'completed', text: 'Buy sage' });
  unit.updateSession(id, { title: 'Herbs' });
}

async function runningTurn(store: Store): Promise<{ session: Session; turn: Turn }> {
  const session = aSession();
  const turn = aTurn(session, { status: 'running' });
  await store.admit(turn, session, { newSession: true });
  return { session, turn };
}
