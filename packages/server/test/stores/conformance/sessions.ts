// Sessions: stored completely, changed field by field, listed in pages, removed with everything in them.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/domain/store.ts';
import { allMessages, aMessage, aSession, aTurn, deltas } from '../fixtures.ts';
import { refusal } from './rejection.ts';

export function sessionSuite(store: () => Store): void {
  describe('sessions', () => {
    it('returns a session as it was created', async () => {
      const session = aSession({
        engine: 'claude-code',
        title: 'Crème "brûlée" \'; DROP TABLE sessions; -- 🍮 \0 end',
        settings: { model: 'opus', nested: { list: [1, null, 'x'], empty: {} } },
        createdAt: 1_700_000_000_000.25,
      });
      await store().createSession(session);
      expect(await store().getSession(session.id)).toEqual(session);
    });

    it('does not know a session that was not created', async () => {
      expect(await store().getSession(randomUUID())).toBeUndefined();
      expect(await store().updateSession(randomUUID(), { title: 'x' })).toBe(false);
      expect(await store().updateSession(randomUUID(), {})).toBe(false);
      expect(await store().deleteSession(randomUUID())).toBe(false);
    });

    it('refuses a second session with the same id and keeps the first', async () => {
      const session = aSession();
      await store().createSession(session);
      const error = await refusal(store().createSession({ ...session, title: 'Other' }));
      expect(error.code).toBe('conflict');
      expect(await store().getSession(session.id)).toEqual(session);
    });

    it('changes only the given fields', async () => {
      const session = aSession({ settings: { model: 'opus' } });
      await store().createSession(session);
      expect(await store().updateSession(session.id, { title: 'Renamed' })).toBe(true);
      expect(await store().getSession(session.id)).toEqual({ ...session, title: 'Renamed' });
      expect(await store().updateSession(session.id, { settings: {}, updatedAt: 5 })).toBe(true);
      expect(await store().getSession(session.id)).toEqual({
        ...session,
        title: 'Renamed',
        settings: {},
        updatedAt: 5,
      });
      expect(await store().updateSession(session.id, {})).toBe(true);
    });

    it("lists a person's own sessions, newest first", async () => {
      const old = aSession({ updatedAt: 1 });
      const recent = aSession({ updatedAt: 3 });
      const between = aSession({ updatedAt: 2 });
      for (const session of [old, recent, between, aSession({ person: 'ben', updatedAt: 4 })]) {
        await store().createSession(session);
      }
      const page = await store().listSessions('anna', { limit: 10 });
      expect(page).toEqual({ sessions: [recent, between, old] });
      expect(await store().listSessions('carla', { limit: 10 })).toEqual({ sessions: [] });
    });

    it('pages through sessions without gaps or duplicates, also with equal times', async () => {
      const all = Array.from({ length: 17 }, (_, index) => aSession({ updatedAt: Math.floor(index / 5) }));
      for (const session of all) await store().createSession(session);

      const ids = (await pages(store(), 4)).map((session) => session.id);
      expect(ids).toHaveLength(17);
      expect(new Set(ids)).toEqual(new Set(all.map((session) => session.id)));
    });

    it('returns no cursor when the last page is exactly full', async () => {
      for (let index = 0; index < 4; index += 1) await store().createSession(aSession());
      const first = await store().listSessions('anna', { limit: 2 });
      const second = await store().listSessions('anna', {
        limit: 2,
        ...(first.next && { cursor: first.next }),
      });
      expect(first.next).toBeDefined();
      expect(second.sessions).toHaveLength(2);
      expect(second.next).toBeUndefined();
    });

    it('continues correctly from a cursor while sessions are used, created and deleted', async () => {
      const all = Array.from({ length: 6 }, (_, index) => aSession({ updatedAt: 10 - index }));
      const [first, second, third, fourth, fifth, sixth] = all as Six;
      for (const session of all) await store().createSession(session);

      const page = await store().listSessions('anna', { limit: 2 });
      expect(page.sessions).toEqual([first, second]);
      // A listed one is used, the one at the cursor is deleted, a new one appears.
      await store().updateSession(first.id, { updatedAt: 20 });
      await store().deleteSession(second.id);
      await store().createSession(aSession({ updatedAt: 30 }));
      const rest = await store().listSessions('anna', { limit: 10, ...(page.next && { cursor: page.next }) });
      expect(rest.sessions).toEqual([third, fourth, fifth, sixth]);
    });

    it('refuses an invalid cursor', async () => {
      for (const cursor of ['', 'nonsense', Buffer.from('[1]').toString('base64url'), '[]', 'bnVsbA']) {
        const error = await refusal(store().listSessions('anna', { limit: 2, cursor }));
        expect(error.code).toBe('invalid');
      }
    });

    it('removes a session with its turns, messages, events and index, and nothing else', async () => {
      const [gone, kept] = [aSession(), aSession()];
      const [goneTurn, keptTurn] = [aTurn(gone), aTurn(kept)];
      await store().admit(goneTurn, gone, { newSession: true });
      await store().admit(keptTurn, kept, { newSession: true });
      for (const turn of [goneTurn, keptTurn]) {
        await store().appendMessages(turn.sessionId, turn.id, [aMessage('assistant', 'Six lemons')]);
        await store().appendEvents(deltas(turn.sessionId, 1, 3));
      }

      expect(await store().deleteSession(gone.id)).toBe(true);
      expect(await store().getSession(gone.id)).toBeUndefined();
      expect(await store().getTurn(goneTurn.id)).toBeUndefined();
      expect(await store().listTurns(gone.id)).toEqual([]);
      expect(await allMessages(store(), gone.id)).toEqual([]);
      expect(await store().eventsAfter(gone.id, 0, 10)).toEqual([]);
      expect(await store().lastSeq(gone.id)).toBe(0);
      expect(await store().unfinishedTurns()).toEqual([keptTurn]);
      expect((await store().search('anna', 'lemons', 10)).map((hit) => hit.turnId)).toEqual([keptTurn.id]);
      expect(await store().eventsAfter(kept.id, 0, 10)).toEqual(deltas(kept.id, 1, 3));
      expect(await store().deleteSession(gone.id)).toBe(false);
    });
  });
}

type Six = [Session, Session, Session, Session, Session, Session];
type Session = ReturnType<typeof aSession>;

async function pages(store: Store, limit: number): Promise<Session[]> {
  const found: Session[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.listSessions('anna', { limit, ...(cursor && { cursor }) });
    found.push(...page.sessions);
    cursor = page.next;
  } while (cursor);
  return found;
}
