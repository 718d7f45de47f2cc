// Messages: the conversation with all of its blocks, and the search in its text.
import { randomUUID } from 'node:crypto';
import type { Message, Session, Turn } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { SpokenTurn, Store } from '../../../src/domain/store.ts';
import { allMessages, aMessage, aSession, aTurn } from '../fixtures.ts';
import { refusal } from './rejection.ts';

export function messageSuite(store: () => Store): void {
  describe('messages', () => {
    it('returns messages in order, with every block unchanged', async () => {
      const { session, turn } = await conversation(store());
      const first: Message[] = [
        aMessage('user', 'What is on my list?'),
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Let me look.', signature: 'c2ln' },
            {
              type: 'tool_use',
              id: 'toolu_1',
              name: 'read_file',
              input: { path: 'list.md', odd: ['\0', null] },
            },
            { type: 'a-kind-of-tomorrow', payload: { deep: [1, { deeper: true }] } },
          ],
        },
      ];
      const second: Message[] = [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'milk' }] },
        aMessage('assistant', 'Milk.'),
      ];
      await store().appendMessages(session.id, turn.id, first);
      await store().appendMessages(session.id, turn.id, []);
      await store().appendMessages(session.id, turn.id, second);
      expect(await allMessages(store(), session.id)).toEqual([...first, ...second]);
    });

    it('reads complete turns, newest first, as far as wanted, and counts the others', async () => {
      const { session, turn } = await conversation(store());
      const turns = [turn, aTurn(session), aTurn(session), aTurn(session)];
      for (const later of turns.slice(1)) await store().admit(later, session, { newSession: false });
      for (const [at, { id }] of turns.entries()) {
        // The third turn has no messages.
        if (at === 2) continue;
        await store().appendMessages(session.id, id, [aMessage('user', `${at}?`)]);
        await store().appendMessages(session.id, id, [aMessage('assistant', `${at}!`)]);
      }
      const said = (at: number) => [aMessage('user', `${at}?`), aMessage('assistant', `${at}!`)];
      const completed = (at: number) => ({ messages: said(at), end: 'completed' });
      const read = async (most: number) => {
        const shown: (readonly Message[])[] = [];
        const answer = await store().recentMessages(session.id, (one) => shown.push(one) <= most);
        return { ...answer, shown };
      };

      expect(await read(0)).toEqual({ turns: [], olderTurns: 3, shown: [said(3)] });
      expect(await read(2)).toEqual({
        turns: [completed(1), completed(3)],
        olderTurns: 1,
        shown: [said(3), said(1), said(0)],
      });
      expect(await read(9)).toMatchObject({
        turns: [completed(0), completed(1), completed(3)],
        olderTurns: 0,
      });
    });

    it('says how the turns ended', async () => {
      const { session, turn } = await conversation(store());
      const error = { code: 'unavailable', message: 'The server stopped.', recoverable: true } as const;
      const ends: [Parameters<Store['updateTurn']>[1], SpokenTurn['end']][] = [
        [{ status: 'completed' }, 'completed'],
        [{ status: 'failed', error }, 'failed'],
        [{ status: 'interrupted', error }, 'failed'],
        [{ status: 'interrupted' }, 'stopped'],
      ];
      const turns = [turn, aTurn(session), aTurn(session), aTurn(session)];
      for (const later of turns.slice(1)) await store().admit(later, session, { newSession: false });
      for (const [at, { id }] of turns.entries()) {
        await store().appendMessages(session.id, id, [aMessage('user', `${at}?`)]);
        await store().updateTurn(id, ends[at]?.[0] ?? {});
      }
      const read = await store().recentMessages(session.id, () => true);
      expect(read.turns.map(({ end }) => end)).toEqual(ends.map(([, end]) => end));
    });

    it('has no messages of an unknown session, and stores none for it', async () => {
      expect(await allMessages(store(), randomUUID())).toEqual([]);
      const { session, turn } = await conversation(store());
      const noSession = await refusal(
        store().appendMessages(randomUUID(), turn.id, [aMessage('user', 'lost')]),
      );
      const noTurn = await refusal(
        store().appendMessages(session.id, randomUUID(), [aMessage('user', 'lost')]),
      );
      expect([noSession.code, noTurn.code]).toEqual(['not_found', 'not_found']);
      expect(await store().search('anna', 'lost', 10)).toEqual([]);
    });
  });

  describe('search', () => {
    it('finds words of prompts and answers, ignoring case and accents', async () => {
      const { session, turn } = await conversation(store(), 'How do I make Crème brûlée?');
      await store().appendMessages(session.id, turn.id, [aMessage('assistant', 'With six Eggs and SUGAR.')]);

      expect(await store().search('anna', 'creme BRULEE', 10)).toEqual([
        { sessionId: session.id, turnId: turn.id, role: 'user', snippet: 'How do I make Crème brûlée?' },
      ]);
      expect(await store().search('anna', 'eggs súgar', 10)).toEqual([
        { sessionId: session.id, turnId: turn.id, role: 'assistant', snippet: 'With six Eggs and SUGAR.' },
      ]);
      expect(await store().search('anna', 'eggs butter', 10)).toEqual([]);
    });

    it('finds what was just written in each of several searches at once', async () => {
      await store().search('anna', 'nothing', 10);
      const many = Array.from({ length: 2_000 }, (_, index) => `word${index}`).join(' ');
      for (let round = 0; round < 5; round += 1) {
        await conversation(store(), `A recipe with rhubarb${round} ${many}`);
        const searches = [1, 2, 3].map(() => store().search('anna', `rhubarb${round}`, 10));
        expect((await Promise.all(searches)).map((hits) => hits.length)).toEqual([1, 1, 1]);
      }
    });

    it('finds a word by its start while it is being typed', async () => {
      await conversation(store(), 'A recipe with rhubarb');
      expect(await store().search('anna', 'recipe rhub', 10)).toHaveLength(1);
      expect(await store().search('anna', 'rec rhubarb', 10)).toEqual([]);
    });

    it('shows the text around the hit, not the whole text', async () => {
      const filler = 'lorem ipsum dolor sit amet '.repeat(200);
      await conversation(store(), `${filler} the hidden saffron jar ${filler}`);
      const [hit] = await store().search('anna', 'saffron', 10);
      expect(hit?.snippet).toContain('hidden saffron jar');
      expect(hit?.snippet.length).toBeLessThan(400);
    });

    it('finds and shows text after a NUL', async () => {
      await conversation(store(), 'before\0behind it saffron');
      const [hit] = await store().search('anna', 'saffron', 10);
      expect(hit?.snippet).toContain('behind it saffron');
    });

    it('does not find a deleted session when new text is added', async () => {
      const { session } = await conversation(store(), 'ripe lemons');
      await store().deleteSession(session.id);
      await conversation(store(), 'fresh figs');
      expect(await store().search('anna', 'lemons', 10)).toEqual([]);
      expect(await store().search('anna', 'figs', 10)).toHaveLength(1);
    });

    it("never finds another person's text", async () => {
      await conversation(store(), 'secret garden', { person: 'ben' });
      expect(await store().search('anna', 'secret', 10)).toEqual([]);
      expect(await store().search('ben', 'secret', 10)).toHaveLength(1);
    });

    it('counts a turn once per role, and returns at most the requested number of hits', async () => {
      for (let index = 0; index < 4; index += 1) {
        const { session, turn } = await conversation(store(), 'plum cake');
        const texts = [
          aMessage('user', 'plum cake'),
          aMessage('assistant', 'plum'),
          aMessage('assistant', 'plum jam'),
        ];
        await store().appendMessages(session.id, turn.id, texts);
      }
      const hits = await store().search('anna', 'plum', 100);
      expect(hits).toHaveLength(8);
      expect(new Set(hits.map((hit) => hit.turnId + hit.role)).size).toBe(8);
      expect(await store().search('anna', 'plum', 3)).toEqual(hits.slice(0, 3));
    });

    it('does not find tool calls, thinking or prompts that were withdrawn', async () => {
      const { session, turn } = await conversation(store(), 'quince jelly');
      await store().appendMessages(session.id, turn.id, [
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'pondering' },
            { type: 'tool_use', id: 'toolu_1', name: 'x', input: { path: 'ledger' } },
          ],
        },
      ]);
      expect(await store().search('anna', 'pondering', 10)).toEqual([]);
      expect(await store().search('anna', 'ledger', 10)).toEqual([]);
      await store().updateTurn(turn.id, { status: 'withdrawn' });
      expect(await store().search('anna', 'quince', 10)).toEqual([]);
    });

    it('accepts any text as a query', async () => {
      await conversation(store(), 'AND OR NOT NEAR text');
      const awkward = [
        '',
        '   ',
        '"',
        '""',
        '*',
        'a*b',
        'text:',
        '-text',
        '^text',
        'NEAR(',
        'a AND',
        'OR',
        ') OR 1=1 --',
        "'; DROP TABLE turns; --",
        '{text} : x',
        '\0',
        'a\0b',
        '\ud800',
        '🍮',
        '日本語',
        'ﬁ',
        '\u0301',
        'x'.repeat(100_000),
        'word '.repeat(5_000),
      ];
      for (const query of awkward) expect(Array.isArray(await store().search('anna', query, 10))).toBe(true);
      expect(await store().search('anna', '"AND" NOT (near', 10)).toHaveLength(1);
      expect(await store().search('anna', ') OR "missing', 10)).toEqual([]);
    });
  });
}

async function conversation(
  store: Store,
  text = 'Hello',
  fields: Partial<Session> = {},
): Promise<{ session: Session; turn: Turn }> {
  const session = aSession(fields);
  const turn = aTurn(session, { prompt: [{ type: 'text', text }] });
  await store.admit(turn, session, { newSession: true });
  return { session, turn };
}
