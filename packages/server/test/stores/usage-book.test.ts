import { noUsage } from '@parley/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore, type SqliteStore } from '../../src/stores/sqlite/store.ts';
import { aSession } from './fixtures.ts';

const day = 86_400_000;
const noon = Date.UTC(2026, 10, 15, 12);
let store: SqliteStore;
beforeEach(async () => {
  store = await openSqliteStore({ file: ':memory:' });
});
afterEach(() => store.close());

describe('the usage book', () => {
  it('adds up turns by day, person and model, and keeps them when a session is deleted', async () => {
    const session = aSession();
    await store.createSession(session);
    await enter({ at: noon - day, costUsd: 0.1 });
    await enter({ at: noon, costUsd: 0.2 });
    await enter({ at: noon + 1, costUsd: 0.3 });
    await enter({ at: noon, costUsd: 1, model: 'other' });
    await store.deleteSession(session.id);
    expect(await store.usage.byDay(noon - 2 * day)).toMatchObject([
      {
        day: '2026-11-14',
        person: 'anna',
        model: 'claude',
        turns: 1,
        usage: { costUsd: 0.1, inputTokens: 7 },
      },
      {
        day: '2026-11-15',
        person: 'anna',
        model: 'claude',
        turns: 2,
        usage: { costUsd: 0.5, inputTokens: 14 },
      },
      { day: '2026-11-15', person: 'anna', model: 'other', turns: 1, usage: { costUsd: 1 } },
    ]);
    expect(await store.usage.bySession('anna', 0, 5)).toMatchObject([
      { sessionId: session.id, title: '', turns: 4 },
    ]);
    expect(await store.usage.bySession('ben', 0, 5)).toEqual([]);
    expect(await store.usage.byDay(noon + day)).toEqual([]);

    function enter({ at, costUsd, model = 'claude' }: { at: number; costUsd: number; model?: string }) {
      const usage = { ...noUsage, inputTokens: 7, costUsd };
      return store.usage.record({
        at,
        person: 'anna',
        sessionId: session.id,
        engine: 'messages-api',
        door: 'http',
        model,
        usage,
      });
    }
  });

  it('names the sessions that still exist, most expensive first', async () => {
    const [cheap, dear] = [aSession({ title: 'Cheap' }), aSession({ title: 'Dear' })];
    for (const [session, costUsd] of [
      [cheap, 0.01],
      [dear, 2],
    ] as const) {
      await store.createSession(session);
      const entry = { at: noon, person: session.person, sessionId: session.id, door: 'http', model: '' };
      await store.usage.record({ ...entry, engine: 'messages-api', usage: { ...noUsage, costUsd } });
    }
    const titles = (await store.usage.bySession(cheap.person, 0, 5)).map(({ title }) => title);
    expect(titles).toEqual(['Dear', 'Cheap']);
  });
});
