// Stored data survives the store.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../src/domain/store.ts';
import { allMessages, aMessage, aSession, aTurn, deltas } from '../fixtures.ts';
import type { OpenedStore, OpenStore } from './opened-store.ts';
import { refusal } from './rejection.ts';

export function reopenSuite(open: OpenStore): void {
  let opened: OpenedStore;
  let current: Store;

  beforeEach(async () => {
    opened = await open();
    current = opened.store;
  });

  afterEach(async () => {
    await current.close();
    await opened.cleanup();
  });

  const reopen = async () => {
    await current.close();
    if (!opened.reopen) throw new Error('A lasting store can be opened again.');
    current = await opened.reopen();
  };

  it('has everything that was stored', async () => {
    const session = aSession();
    const [first, second, third] = [aTurn(session, { key: 'one' }), aTurn(session), aTurn(session)];
    await current.admit(first, session, { newSession: true });
    for (const turn of [second, third]) await current.admit(turn, session, { newSession: false });
    await current.reorderTurns(session.id, [third.id]);
    await current.appendMessages(session.id, first.id, [aMessage('assistant', 'Rosemary')]);
    await current.appendEvents(deltas(session.id, 1, 300));
    await current.pruneEvents(session.id, 10);
    await current.updateSession(session.id, { title: 'Herbs' });

    await reopen();
    expect(await current.getSession(session.id)).toEqual({ ...session, title: 'Herbs' });
    expect(await current.listTurns(session.id)).toEqual([third, first, second]);
    expect(await allMessages(current, session.id)).toEqual([aMessage('assistant', 'Rosemary')]);
    expect(await current.search('anna', 'rosemary', 5)).toHaveLength(1);
    expect(await current.eventsAfter(session.id, 0, 500)).toEqual(deltas(session.id, 11, 300));
    const again = await current.admit(aTurn(session, { key: 'one' }), session, { newSession: false });
    expect(again).toMatchObject({ fresh: false, turn: { id: first.id } });
  });

  it('does not bring a deleted session back', async () => {
    const session = aSession();
    await current.createSession(session);
    await current.deleteSession(session.id);
    await reopen();
    expect(await current.getSession(session.id)).toBeUndefined();
  });

  it('refuses calls with a sentence after it is closed, and can be closed twice', async () => {
    await current.close();
    await current.close();
    const session = aSession();
    for (const call of [
      current.getSession(session.id),
      current.createSession(session),
      current.appendEvents(deltas(session.id, 1, 1)),
      current.search('anna', 'x', 1),
    ]) {
      expect((await refusal(call)).code).toBe('unavailable');
    }
    await reopen();
    expect(await current.getSession(session.id)).toBeUndefined();
  });
}
