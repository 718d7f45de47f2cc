// Which versions a conversation has, and which of them a session shows.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Branch, familyOf, ownerOf, versionsOf } from '../../src/domain/branches.ts';

const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
const [first, edited, later, deep] = ['first', 'edited', 'later', 'deep'];

describe('versions', () => {
  /** In `first`, the second prompt was edited twice, and in `edited` the third prompt once. */
  const branches: readonly Branch[] = [
    { sessionId: edited, parentId: first, after: one },
    { sessionId: later, parentId: first, after: one },
    { sessionId: deep, parentId: edited, after: two },
  ];

  it('are listed where they begin, the oldest first, in every session that gets there', () => {
    const begin = { after: one, sessions: [first, edited, later] };
    const end = { after: two, sessions: [edited, deep] };
    expect(versionsOf(first, branches, [])).toEqual([
      { ...begin, current: 0 },
      { ...end, current: -1 },
    ]);
    expect(versionsOf(later, branches, [])[0]).toEqual({ ...begin, current: 2 });
    // It has taken over the edited prompt.
    expect(versionsOf(deep, branches, [])).toEqual([
      { ...begin, current: 1 },
      { ...end, current: 1 },
    ]);
  });

  it('belong to the session that a prompt was sent to, not to one that has taken it over', () => {
    expect(ownerOf(deep, [one, two], branches)).toBe(deep);
    expect(ownerOf(deep, [one], branches)).toBe(edited);
    expect(ownerOf(deep, [], branches)).toBe(first);
    expect(ownerOf(first, [one, two, three], branches)).toBe(first);
    const replaced: Branch = { sessionId: 'x', parentId: first, after: null };
    expect(ownerOf('x', [three], [...branches, replaced])).toBe('x');
  });

  it('are one family', () => {
    expect(familyOf(deep, branches)).toEqual([first, edited, later, deep]);
    expect(familyOf('alone', [])).toEqual(['alone']);
  });
});
