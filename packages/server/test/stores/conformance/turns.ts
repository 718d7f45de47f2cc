// Turns: changed field by field, listed and reordered as a queue.
import { randomUUID } from 'node:crypto';
import type { Session, Turn } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/domain/store.ts';
import { aSession, aTurn } from '../fixtures.ts';

export function turnSuite(store: () => Store): void {
  describe('turns', () => {
    it('changes only the given fields of a turn', async () => {
      const { turns } = await queueOf(store(), 2);
      const [turn, other] = turns as [Turn, Turn];
      const usage = {
        inputTokens: 3,
        outputTokens: 4,
        cacheReadTokens: 5,
        cacheWriteTokens: 6,
        costUsd: 0.0125,
      };
      await store().updateTurn(turn.id, { status: 'running', startedAt: 7.5 });
      expect(await store().getTurn(turn.id)).toEqual({ ...turn, status: 'running', startedAt: 7.5 });

      const end = {
        status: 'failed',
        text: 'Half an ans\0wer',
        usage,
        error: { code: 'unavailable', message: 'The model is busy.' },
        endedAt: 9,
      } as const;
      await store().updateTurn(turn.id, end);
      expect(await store().getTurn(turn.id)).toEqual({ ...turn, startedAt: 7.5, ...end });
      expect(await store().getTurn(other.id)).toEqual(other);
    });

    it('remembers that nobody can answer while a turn runs', async () => {
      const session = aSession();
      const turn = aTurn(session, { canAsk: false });
      await store().admit(turn, session, { newSession: true });
      expect(await store().getTurn(turn.id)).toEqual(turn);
      expect(await store().unfinishedTurns()).toContainEqual(turn);
    });

    it('remembers who wrote a prompt in a session of somebody else [team.share.author]', async () => {
      const session = aSession();
      const turn = aTurn(session, { author: 'petra' });
      await store().admit(turn, session, { newSession: true });
      expect(await store().getTurn(turn.id)).toEqual(turn);
      expect(await store().unfinishedTurns()).toContainEqual(turn);
    });

    it('ignores a change of an unknown turn', async () => {
      await store().updateTurn(randomUUID(), { status: 'completed' });
      await store().updateTurn(randomUUID(), {});
      expect(await store().unfinishedTurns()).toEqual([]);
    });

    it('lists turns in queue order, by status, and only the newest', async () => {
      const { session, turns } = await queueOf(store(), 5);
      const [first, second, third, fourth, fifth] = turns as [Turn, Turn, Turn, Turn, Turn];
      await store().updateTurn(first.id, { status: 'completed' });
      await store().updateTurn(second.id, { status: 'running' });

      const done = { ...first, status: 'completed' };
      const running = { ...second, status: 'running' };
      expect(await store().listTurns(session.id)).toEqual([done, running, third, fourth, fifth]);
      expect(await store().listTurns(session.id, { last: 2 })).toEqual([fourth, fifth]);
      expect(await store().listTurns(session.id, { last: 99 })).toHaveLength(5);
      expect(await store().listTurns(session.id, { last: 0 })).toEqual([]);
      expect(await store().listTurns(session.id, { status: ['completed', 'running'] })).toEqual([
        done,
        running,
      ]);
      expect(await store().listTurns(session.id, { status: ['queued'], last: 1 })).toEqual([fifth]);
      expect(await store().listTurns(session.id, { status: [] })).toEqual([]);
    });

    it('reorders the queued turns', async () => {
      const { session, turns } = await queueOf(store(), 4);
      const [first, second, third, fourth] = turns as [Turn, Turn, Turn, Turn];
      await store().reorderTurns(session.id, [fourth.id, second.id, first.id, third.id]);
      expect(await store().listTurns(session.id)).toEqual([fourth, second, first, third]);

      const late = aTurn(session);
      await store().admit(late, session, { newSession: false });
      expect((await store().listTurns(session.id)).at(-1)).toEqual(late);
    });

    it('puts the named turns first and leaves the others in their order', async () => {
      const { session, turns } = await queueOf(store(), 4);
      const [first, second, third, fourth] = turns as [Turn, Turn, Turn, Turn];
      await store().reorderTurns(session.id, [third.id, third.id]);
      expect(await store().listTurns(session.id)).toEqual([third, first, second, fourth]);
    });

    it('ignores ids that are not queued, unknown or of another session', async () => {
      const { session, turns } = await queueOf(store(), 3);
      const [first, second, third] = turns as [Turn, Turn, Turn];
      const elsewhere = await queueOf(store(), 2);
      await store().updateTurn(first.id, { status: 'running' });

      const foreign = elsewhere.turns.map((turn) => turn.id);
      await store().reorderTurns(session.id, [randomUUID(), ...foreign, third.id, first.id, second.id]);
      expect((await store().listTurns(session.id)).map((turn) => turn.id)).toEqual([
        first.id,
        third.id,
        second.id,
      ]);
      expect(await store().listTurns(elsewhere.session.id)).toEqual(elsewhere.turns);
    });

    it('lists the turns that a restart has to resume, in queue order', async () => {
      const here = await queueOf(store(), 4);
      const there = await queueOf(store(), 2);
      const [first, second, third, fourth] = here.turns as [Turn, Turn, Turn, Turn];
      await store().updateTurn(first.id, { status: 'completed' });
      await store().updateTurn(second.id, { status: 'running' });
      await store().reorderTurns(here.session.id, [fourth.id]);

      const unfinished = await store().unfinishedTurns();
      const of = (session: Session) => unfinished.filter((turn) => turn.sessionId === session.id);
      expect(unfinished).toHaveLength(5);
      expect(of(here.session).map((turn) => turn.id)).toEqual([second.id, fourth.id, third.id]);
      expect(of(there.session)).toEqual(there.turns);
    });
  });
}

async function queueOf(store: Store, length: number): Promise<{ session: Session; turns: Turn[] }> {
  const session = aSession();
  await store.createSession(session);
  const turns = Array.from({ length }, () => aTurn(session));
  for (const turn of turns) await store.admit(turn, session, { newSession: false });
  return { session, turns };
}
