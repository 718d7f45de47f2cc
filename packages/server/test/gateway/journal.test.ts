// What many turns store at the same time, in a real database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../src/domain/logger.ts';
import { soleOwner } from '../../src/domain/ownership.ts';
import type { Store } from '../../src/domain/store.ts';
import { systemTimers } from '../../src/domain/timers.ts';
import { Journal } from '../../src/gateway/journal.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { allMessages, aMessage, aSession, aTurn, deltas } from '../stores/fixtures.ts';

let folder: string;
let store: Store & { close(): Promise<void> };
let commits: number;
let journal: Journal;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-journal-'));
  store = await openSqliteStore({ file: join(folder, 'parley.db') });
  commits = 0;
  const counted: Store = {
    ...store,
    together: (collect) => {
      commits += 1;
      return store.together(collect);
    },
  };
  journal = new Journal(soleOwner(counted), silentLogger, systemTimers);
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A turn that stores an answer and, together with it, two events. */
async function answering({ isDeleted = false } = {}) {
  const session = aSession();
  const turn = aTurn(session);
  await store.admit(turn, session, { newSession: true });
  if (isDeleted) await store.deleteSession(session.id);
  const tenure = { session: session.id, epoch: 0, isOver: false, onOver: () => () => undefined };
  const events = deltas(session.id, 1, 2);
  return {
    session,
    keep: () =>
      journal.of(tenure).keep(
        (unit) => {
          unit.appendMessages(session.id, turn.id, [aMessage('assistant', 'done')]);
        },
        { take: () => events.splice(0), onRefused: () => undefined },
      ),
  };
}

it('shares few commits between many turns', async () => {
  const turns = await Promise.all(Array.from({ length: 40 }, () => answering()));
  expect(await Promise.all(turns.map(({ keep }) => keep()))).toEqual(turns.map(() => true));
  expect(commits).toBe(3);
  for (const { session } of turns) {
    expect(await allMessages(store, session.id)).toHaveLength(1);
    expect(await store.eventsAfter(session.id, 0, 10)).toHaveLength(2);
  }
});

it('stores the others if one of them can no longer be stored', async () => {
  const turns = [await answering(), await answering({ isDeleted: true }), await answering()];
  const results = await Promise.allSettled(turns.map(({ keep }) => keep()));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  for (const index of [0, 2]) {
    const id = turns[index]?.session.id ?? '';
    expect(await allMessages(store, id)).toHaveLength(1);
    expect(await store.eventsAfter(id, 0, 10)).toHaveLength(2);
  }
});
