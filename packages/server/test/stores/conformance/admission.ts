// Admission: a turn and its new session in one step, once per (person, key).
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/domain/store.ts';
import { aSession, aTurn } from '../fixtures.ts';
import { refusal } from './rejection.ts';

export function admissionSuite(store: () => Store): void {
  describe('admission', () => {
    it('stores a turn together with its new session', async () => {
      const session = aSession();
      const turn = aTurn(session, {
        key: 'any "text"\0 of a client \ud800',
        after: 41,
        prompt: [
          { type: 'text', text: 'Look:\0' },
          { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
        ],
      });
      expect(await store().admit(turn, session, { newSession: true })).toEqual({
        turn,
        session,
        fresh: true,
      });
      expect(await store().getTurn(turn.id)).toEqual(turn);
      expect(await store().getSession(session.id)).toEqual(session);
    });

    it('adds a turn to an existing session and leaves the session unchanged', async () => {
      const session = aSession();
      await store().createSession(session);
      const turn = aTurn(session);
      const admission = await store().admit(turn, { ...session, title: 'Stale' }, { newSession: false });
      expect(admission).toEqual({ turn, session, fresh: true });
      expect(await store().getSession(session.id)).toEqual(session);
    });

    it('returns the earlier turn for a known key, and writes nothing', async () => {
      const session = aSession();
      const turn = aTurn(session, { key: 'same' });
      await store().admit(turn, session, { newSession: true });
      await store().updateTurn(turn.id, { status: 'completed', text: 'Milk' });

      const earlier = { turn: { ...turn, status: 'completed', text: 'Milk' }, session, fresh: false };
      expect(await store().findAdmission(session.person, 'same')).toEqual(earlier);
      expect(await store().findAdmission(session.person, 'other')).toBeUndefined();
      expect(await store().findAdmission('ben', 'same')).toBeUndefined();

      const other = aSession();
      const again = await store().admit(aTurn(other, { key: 'same' }), other, { newSession: true });
      expect(again).toEqual(earlier);
      expect(await store().getSession(other.id)).toBeUndefined();
      expect(await store().unfinishedTurns()).toEqual([]);
    });

    it('distinguishes equal keys of two people', async () => {
      const [anna, ben] = [aSession({ person: 'anna' }), aSession({ person: 'ben' })];
      const first = await store().admit(aTurn(anna, { key: 'same' }), anna, { newSession: true });
      const second = await store().admit(aTurn(ben, { key: 'same' }), ben, { newSession: true });
      expect([first.fresh, second.fresh]).toEqual([true, true]);
    });

    it('distinguishes keys that differ after a NUL', async () => {
      const session = aSession();
      await store().createSession(session);
      const first = await store().admit(aTurn(session, { key: 'a\0b' }), session, { newSession: false });
      const second = await store().admit(aTurn(session, { key: 'a\0c' }), session, { newSession: false });
      expect([first.fresh, second.fresh]).toEqual([true, true]);
    });

    it('admits one of many simultaneous calls with the same key', async () => {
      const attempts = Array.from({ length: 20 }, () => {
        const session = aSession();
        return store().admit(aTurn(session, { key: 'race' }), session, { newSession: true });
      });
      const admissions = await Promise.all(attempts);
      expect(admissions.filter((admission) => admission.fresh)).toHaveLength(1);
      expect(new Set(admissions.map((admission) => admission.turn.id)).size).toBe(1);
      expect(new Set(admissions.map((admission) => admission.session.id)).size).toBe(1);
      expect((await store().listSessions('anna', { limit: 50 })).sessions).toHaveLength(1);
    });

    it('frees the key together with its session', async () => {
      const session = aSession();
      await store().admit(aTurn(session, { key: 'same' }), session, { newSession: true });
      await store().deleteSession(session.id);
      const next = aSession();
      const admission = await store().admit(aTurn(next, { key: 'same' }), next, { newSession: true });
      expect(admission.fresh).toBe(true);
    });

    it('refuses a turn of an unknown session', async () => {
      const session = aSession();
      const turn = aTurn(session);
      const error = await refusal(store().admit(turn, session, { newSession: false }));
      expect(error.code).toBe('not_found');
      expect(await store().getTurn(turn.id)).toBeUndefined();
    });

    it("refuses a turn in another person's session", async () => {
      const session = aSession({ person: 'anna' });
      await store().createSession(session);
      const error = await refusal(
        store().admit(aTurn(session), { ...session, person: 'ben' }, { newSession: false }),
      );
      expect(error.code).toBe('not_found');
      expect(await store().listTurns(session.id)).toEqual([]);
    });

    it('writes neither session nor turn when one of them is refused', async () => {
      const session = aSession();
      const taken = aTurn(session, { id: randomUUID() });
      await store().admit(taken, session, { newSession: true });
      const fresh = aSession();
      const error = await refusal(store().admit(aTurn(fresh, { id: taken.id }), fresh, { newSession: true }));
      expect(error.code).toBe('conflict');
      expect(await store().getSession(fresh.id)).toBeUndefined();
      expect(await store().getTurn(taken.id)).toEqual(taken);
    });
  });
}
