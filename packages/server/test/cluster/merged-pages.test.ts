// The lists of several machines as one list: whatever the sizes of their pages, it is complete and in order.
import { describe, expect, it } from 'vitest';
import { type MachinePage, mergePages, parsePlace } from '../../src/cluster/merged-pages.ts';
import { byAge, type CodeSession } from '../../src/domain/code-sessions.ts';

type Listed = Pick<CodeSession, 'id' | 'updatedAt'>;

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A machine whose list is read in pages; a cursor is a position. */
function readFrom(
  all: readonly Listed[],
  source: string,
  limit: number,
  cursor: string | undefined,
): MachinePage {
  const start = Number(cursor ?? 0);
  const sessions = all.slice(start, start + limit) as CodeSession[];
  const isMore = start + limit < all.length;
  return { source, cursor, sessions, ...(isMore && { next: String(start + limit) }) };
}

function readAll(machines: ReadonlyMap<string, readonly Listed[]>, limit: number): Listed[] {
  const read: Listed[] = [];
  let cursor: string | undefined;
  do {
    const place = parsePlace(cursor);
    const pages = [...machines]
      .filter(([source]) => place.cursors?.has(source) ?? true)
      .map(([source, all]) => readFrom(all, source, limit, place.cursors?.get(source)));
    const page = mergePages(pages, place, limit);
    expect(page.sessions.length).toBeLessThanOrEqual(limit);
    // The cursor always moves on.
    expect(page.next).not.toBe(cursor ?? '');
    read.push(...page.sessions);
    cursor = page.next;
  } while (cursor !== undefined);
  return read;
}

describe('merged pages', () => {
  it('list every session once, the newest first [cluster.machine.list]', () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 200; round += 1) {
      let number = 0;
      const machines = new Map(
        ['a', 'b', 'c'].map((name) => {
          const own = Array.from({ length: random(12) }, () => {
            number += 1;
            return { id: idOf(number), updatedAt: random(20) };
          });
          return [name, own.sort(byAge)] as const;
        }),
      );
      const all = [...machines.values()].flat().sort(byAge);
      expect(readAll(machines, 1 + random(5))).toEqual(all);
    }
  });

  it('list a session only once if two machines have it', () => {
    const one = { id: idOf(1), updatedAt: 1 };
    expect(
      readAll(
        new Map([
          ['a', [one]],
          ['b', [one]],
        ]),
        10,
      ),
    ).toEqual([one]);
  });

  it('refuse a cursor of another list', () => {
    for (const cursor of ['nonsense', 'e30', Buffer.from('{"cursors":[1]}').toString('base64url')])
      expect(() => parsePlace(cursor)).toThrow('does not belong to this list');
  });
});
