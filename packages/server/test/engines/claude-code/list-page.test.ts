// A page of the list of sessions, out of the index and those that have not started.
import type { SessionEntry } from '@parley/claude-cli';
import { expect, it } from 'vitest';
import type { CodeSession } from '../../../src/domain/code-sessions.ts';
import { listPage } from '../../../src/engines/claude-code/sessions/list-page.ts';

const id = (letter: string) => letter.repeat(36);
const entry = (letter: string, at: number) =>
  ({ sessionId: id(letter), updatedAt: new Date(at) }) as SessionEntry;
const unstarted = (letter: string, at: number) => ({ id: id(letter), updatedAt: at }) as CodeSession;

it('lists a session only once if it starts while the list is read', async () => {
  const readIndex = async () => ({ sessions: [entry('b', 3), entry('a', 1)], next: undefined });
  const { listed, next } = await listPage(readIndex, [unstarted('b', 4), unstarted('c', 2)], { limit: 10 });
  const ids = listed.map((one) => ('entry' in one ? one.entry.sessionId : one.unstarted.id));
  expect(ids).toEqual([id('b'), id('c'), id('a')]);
  expect(next).toBeUndefined();
});
