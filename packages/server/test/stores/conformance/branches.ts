// Forks: found by their id once they are complete, and made again if that was cut off.
import { describe, expect, it } from 'vitest';
import { allMessages, aMessage, aSession, aTurn } from '../fixtures.ts';
import type { OpenedStore } from './opened-store.ts';
import { refusal } from './rejection.ts';

export function branchSuite(store: () => OpenedStore['store']): void {
  describe('forks', () => {
    async function conversation() {
      const from = aSession();
      const turn = aTurn(from, { status: 'completed' });
      await store().createSession(from);
      await store().admit(turn, from, { newSession: false });
      await store().together((unit) => {
        unit.appendMessages(from.id, turn.id, [aMessage('user', 'Eggs?'), aMessage('assistant', 'Six.')]);
        unit.appendEvents([
          { seq: 1, sessionId: from.id, turnId: turn.id, at: 1, event: { type: 'text.delta', text: 'Six.' } },
        ]);
      });
      return { from, copied: { from: from.id, turns: [turn.id] } };
    }

    it('are made again if they were cut off, and are complete then', async () => {
      const { from, copied } = await conversation();
      const fork = aSession({ title: 'Groceries (fork)' });
      const broken = { ...copied, turns: [...copied.turns, ...copied.turns] };
      await refusal(store().branches.create(fork, undefined, broken));
      expect(await store().branches.findFork(fork.id)).toBeUndefined();
      await store().branches.create(fork, undefined, copied);
      expect(await store().branches.findFork(fork.id)).toEqual(fork);
      expect(await store().listTurns(fork.id)).toHaveLength(1);
      expect(await allMessages(store(), fork.id)).toEqual(await allMessages(store(), from.id));
      expect(await store().eventsAfter(fork.id, 0, 10)).toHaveLength(1);
    });

    it('are never replaced once they are complete, even if a branch of them is listed instead', async () => {
      const { copied } = await conversation();
      const fork = aSession();
      await store().branches.create(fork, undefined, copied);
      const branch = aSession();
      await store().branches.create(branch, { parentId: fork.id, after: null });
      await store().admit(aTurn(branch), branch, { newSession: false });
      expect((await store().listSessions('anna', { limit: 10 })).sessions).not.toContainEqual(fork);
      expect(await store().branches.findFork(fork.id)).toEqual(fork);
      await refusal(store().branches.create(fork, undefined, copied));
      expect(await store().listTurns(fork.id)).toHaveLength(1);
    });
  });
}
