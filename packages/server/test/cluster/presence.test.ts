// Two servers tell each other, through a real PostgreSQL, who is looking at a session.
import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { StoredRelay, watchingLastsMs } from '../../src/cluster/activity-relay.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { systemTimers } from '../../src/domain/timers.ts';
import { Presence } from '../../src/doors/websocket/presence.ts';
import { createActivityStore } from '../../src/stores/postgres/activities.ts';
import { openPostgresStore, type PostgresStore } from '../../src/stores/postgres/store.ts';
import { run } from '../../src/stores/sql/work.ts';
import { usePostgres } from '../stores/postgres-database.ts';

const postgres = usePostgres();
const patience = { timeout: 60_000 };

async function startServer(store: PostgresStore, now = () => Date.now()) {
  const activities = createActivityStore(store);
  const parts = { store: activities, server: randomUUID(), timers: systemTimers, logger: silentLogger };
  const relay = new StoredRelay(parts);
  const presence = new Presence({ relay, clock: { now }, lastsMs: watchingLastsMs });
  await relay.start();
  onTestFinished(() => relay.stop());
  return { relay, presence };
}

class Page {
  readonly person = 'ada';
  isVisible = true;
  last: unknown;
  send(message: unknown): void {
    this.last = message;
  }
}

it('reads only recent news of other servers, whether or not there was any when it started', async () => {
  const store = await openPostgresStore({ url: await postgres().createDatabase() });
  onTestFinished(() => store.close());
  const activities = createActivityStore(store);
  const heard: string[] = [];
  const say = (person: string) => activities.add('other', [{ type: 'listening', person }]);
  await say('old');
  await store.database.relaxed(() => run("UPDATE activities SET added_at = now() - interval '4 minutes'"));
  for (const [start, later] of [
    ['nothing', 'first'],
    ['first', 'second'],
  ] as const) {
    heard.length = 0;
    const relay = new StoredRelay({
      store: activities,
      server: randomUUID(),
      timers: systemTimers,
      logger: silentLogger,
    });
    onTestFinished(() => relay.stop());
    relay.onNews((news) => heard.push(news.type === 'listening' ? news.person : news.type));
    await relay.start();
    expect(heard).toEqual(start === 'nothing' ? [] : [start]);
    await say(later);
    await vi.waitFor(() => expect(heard).toContain(later), patience);
    expect(heard).not.toContain('old');
    await relay.stop();
  }
});

describe('pages of several servers', () => {
  it('count on all of them, and keep notifications away while somebody looks [cluster.presence]', async () => {
    const store = await openPostgresStore({ url: await postgres().createDatabase() });
    onTestFinished(() => store.close());
    let later = 0;
    const [a, b] = [await startServer(store), await startServer(store, () => Date.now() + later)];
    const session = randomUUID();
    const [here, there] = [new Page(), new Page()];
    a.presence.join(session, here);
    b.presence.join(session, there);
    const isLooking = async (expected: boolean) =>
      vi.waitFor(() => expect(b.presence.isLooking('ada', session)).toBe(expected), patience);
    await vi.waitFor(() => expect(there.last).toMatchObject({ pages: 2, visible: 2 }), patience);
    await vi.waitFor(() => expect(here.last).toMatchObject({ pages: 2, visible: 2 }), patience);
    b.presence.leave(session, there);
    await isLooking(true);
    await vi.waitFor(() => expect(here.last).toMatchObject({ pages: 1, visible: 1 }), patience);
    expect(b.presence.isLooking('ben', session)).toBe(false);
    here.isVisible = false;
    a.presence.announce(session);
    await isLooking(false);
    here.isVisible = true;
    a.presence.announce(session);
    await isLooking(true);
    // Nobody hears from a server again that was killed.
    later = watchingLastsMs + 1;
    expect(b.presence.isLooking('ada', session)).toBe(false);
    later = 0;
    a.presence.leave(session, here);
    await isLooking(false);
  });
});
