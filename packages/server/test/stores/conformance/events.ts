// Stored events: by number, without gaps or duplicates, for many sessions at once.
import { randomUUID } from 'node:crypto';
import type { Envelope, Session } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/domain/store.ts';
import { aSession, aTurn, deltas } from '../fixtures.ts';

export function eventSuite(store: () => Store): void {
  describe('events', () => {
    it('returns events unchanged, with and without a turn', async () => {
      const session = await created(store());
      const turn = aTurn(session);
      const events: Envelope[] = [
        {
          seq: 1,
          sessionId: session.id,
          turnId: turn.id,
          at: 1.5,
          event: { type: 'frame', raw: '{"a":"\\u0000\0 \ud83c"}\n', means: [] },
        },
        { seq: 2, sessionId: session.id, at: 2, event: { type: 'queue.changed', prompts: [] } },
        {
          seq: 9,
          sessionId: session.id,
          turnId: turn.id,
          at: 3,
          event: { type: 'tool.started', id: 't', tool: 'x', input: JSON.parse('{"__proto__":{"a":1}}') },
        },
      ];
      await store().appendEvents(events);
      const kept = await store().eventsAfter(session.id, 0, 10);
      expect(kept).toEqual(events);
      expect(JSON.stringify(kept.at(-1)?.event)).toContain('"__proto__"');
      expect(await store().lastSeq(session.id)).toBe(9);
    });

    it('returns what follows a number, wherever flushes start and end', async () => {
      const session = await created(store());
      const all = deltas(session.id, 1, 1000);
      const cuts = [0, 1, 2, 700, 701, 1000];
      for (const [index, cut] of cuts.slice(1).entries()) {
        await store().appendEvents(all.slice(cuts[index], cut));
      }
      for (const after of [0, 1, 2, 255, 256, 257, 511, 699, 700, 999, 1000, 5000]) {
        expect(await store().eventsAfter(session.id, after, 2000)).toEqual(all.slice(after));
        expect(await store().eventsAfter(session.id, after, 10)).toEqual(all.slice(after, after + 10));
      }
      expect(await store().eventsAfter(session.id, 0, 0)).toEqual([]);
    });

    it('separates the sessions of a flush', async () => {
      const [here, there] = [await created(store()), await created(store())];
      const mixed = deltas(here.id, 1, 50).flatMap((event) => [event, { ...event, sessionId: there.id }]);
      await store().appendEvents(mixed);
      await store().appendEvents([]);
      expect(await store().eventsAfter(here.id, 0, 100)).toEqual(deltas(here.id, 1, 50));
      expect(await store().eventsAfter(there.id, 0, 100)).toEqual(deltas(there.id, 1, 50));
    });

    it('stores large events', async () => {
      const session = await created(store());
      const events = deltas(session.id, 1, 6).map((event) => ({
        ...event,
        event: { type: 'text.delta' as const, text: `${event.seq}`.repeat(300_000) },
      }));
      await store().appendEvents(events);
      expect(await store().eventsAfter(session.id, 2, 3)).toEqual(events.slice(2, 5));
    });

    it('drops the events of a deleted session and stores the others of the flush', async () => {
      const [gone, kept] = [await created(store()), await created(store())];
      await store().deleteSession(gone.id);
      await store().appendEvents([...deltas(gone.id, 1, 3), ...deltas(kept.id, 1, 3)]);
      expect(await store().eventsAfter(gone.id, 0, 10)).toEqual([]);
      expect(await store().eventsAfter(kept.id, 0, 10)).toEqual(deltas(kept.id, 1, 3));
    });

    it('has no events and number 0 for a session without events', async () => {
      const session = await created(store());
      expect(await store().lastSeq(session.id)).toBe(0);
      expect(await store().eventsAfter(session.id, 0, 10)).toEqual([]);
      expect(await store().lastSeq(randomUUID())).toBe(0);
      await store().pruneEvents(session.id, 10);
      expect(await store().lastSeq(session.id)).toBe(0);
    });

    it('removes events up to a number, also in the middle of a flush', async () => {
      const session = await created(store());
      await store().appendEvents(deltas(session.id, 1, 600));
      for (const upTo of [0, 100, 256, 300, 300, 50]) {
        await store().pruneEvents(session.id, upTo);
        const kept = await store().eventsAfter(session.id, 0, 1000);
        expect(kept).toEqual(deltas(session.id, 1, 600).slice(upTo === 50 ? 300 : upTo));
      }
      expect(await store().lastSeq(session.id)).toBe(600);
    });

    it('remembers the last number when all events are removed, so that none is used twice', async () => {
      const session = await created(store());
      await store().appendEvents(deltas(session.id, 1, 5));
      await store().pruneEvents(session.id, 5);
      await store().pruneEvents(session.id, 99);
      expect(await store().eventsAfter(session.id, 0, 10)).toEqual([]);
      expect(await store().lastSeq(session.id)).toBe(5);
      await store().appendEvents(deltas(session.id, 6, 7));
      expect(await store().eventsAfter(session.id, 0, 10)).toEqual(deltas(session.id, 6, 7));
    });
  });
}

async function created(store: Store): Promise<Session> {
  const session = aSession();
  await store.createSession(session);
  return session;
}
