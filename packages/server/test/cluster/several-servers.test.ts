// Several servers share one store. Each session has one owner; the others pass calls on to it, and take over when it is gone.
import type { Envelope } from '@parley/protocol';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Gateway } from '../../src/domain/gateway.ts';
import { endOf, readUntil, say, scripted } from '../support/gateway-harness.ts';
import { SeveralServers } from '../support/several-servers.ts';

/** Long, because machines are busy. */
const patience = { timeout: 60_000 };

let several: SeveralServers;
afterEach(() => several.close());

const person = 'petra';
const send = (gateway: Gateway, session: string, text: string) =>
  gateway.prompt({ person, session, prompt: say(text), door: 'test' });

/** Collects the events of a session until the test stops it. */
function follow(gateway: Gateway, session: string, after: number) {
  const seen: Envelope[] = [];
  const stop = new AbortController();
  const done = (async () => {
    for await (const envelope of gateway.subscribe(person, session, { after, signal: stop.signal }))
      seen.push(envelope);
  })();
  return {
    seen,
    stop: async () => {
      stop.abort();
      await done;
    },
  };
}

const ends = (seen: readonly Envelope[], turnId: string) => seen.filter(endOf(turnId));

describe('a session with several servers', () => {
  it('is answered by its owner, whichever server a prompt comes to [cluster.any-server.prompt]', async () => {
    several = await SeveralServers.start('a', 'b', 'c');
    const [a, b, c] = ['a', 'b', 'c'].map((name) => several.get(name).gateway) as [Gateway, Gateway, Gateway];
    const { id } = await a.createSession(person, scripted);
    const first = await send(a, id, 'ask Bash');
    const reader = follow(c, id, 0);
    const second = await send(b, id, 'text 3');
    expect(several.forwarded).toContain('b prompt');
    await vi.waitFor(async () => expect((await c.state(person, id)).permissions).toHaveLength(1), patience);
    const [open] = (await c.state(person, id)).permissions;
    expect(await b.decide(person, id, open?.id ?? '', { behavior: 'allow', scope: 'once' })).toBe(true);
    await vi.waitFor(() => expect(ends(reader.seen, second.turnId)).toHaveLength(1), patience);
    await reader.stop();
    expect(reader.seen.map(({ seq }) => seq)).toEqual(reader.seen.map((_, index) => index + 1));
    expect(several.get('b').engine.maxAtOnce + several.get('c').engine.maxAtOnce).toBe(0);
    expect(ends(reader.seen, first.turnId)).toHaveLength(1);
  });

  it('moves when its owner stops renewing its lease, and readers continue [cluster.takeover.readers-continue]', async () => {
    several = await SeveralServers.start('a', 'b');
    const [a, b] = [several.get('a'), several.get('b')];
    const { id } = await a.gateway.createSession(person, scripted);
    const first = await send(a.gateway, id, 'text 2 | ask Bash');
    const waiting = await send(b.gateway, id, 'text 1');
    const reader = follow(b.gateway, id, 0);
    await vi.waitFor(
      () => expect(reader.seen.some(({ event }) => event.type === 'permission.asked')).toBe(true),
      patience,
    );
    a.isCut = true;
    await several.pass(9_000);
    expect((await a.local.state(person, id)).running).toBe(first.turnId);
    await several.pass(2_000);
    // Before anybody may claim the session, its owner has stopped.
    expect([...a.engine.running.values()]).toEqual([0]);
    await expect(a.local.state(person, id)).rejects.toMatchObject({ code: 'moved' });
    await several.pass(8_000);
    await b.local.recover();
    await vi.waitFor(() => expect(ends(reader.seen, waiting.turnId)).toHaveLength(1), patience);
    await reader.stop();
    const [end] = ends(reader.seen, first.turnId);
    expect(end?.event).toMatchObject({ type: 'turn.ended', outcome: 'interrupted', text: 'w0 w1 ' });
    expect(ends(reader.seen, first.turnId)).toHaveLength(1);
    // The server comes back, and finds the session where it is now.
    a.isCut = false;
    await several.pass(6_000);
    const third = await send(a.gateway, id, 'text 1');
    await readUntil(a.gateway, person, id, third.after, endOf(third.turnId));
  });

  it('is forked once per key, even if its owner crashes before it can answer', async () => {
    several = await SeveralServers.start('a', 'b');
    const [a, b] = [several.get('a'), several.get('b')];
    const { id } = await a.gateway.createSession(person, scripted);
    const { turnId } = await send(a.gateway, id, 'text 2');
    await readUntil(a.gateway, person, id, 0, endOf(turnId));
    const first = await b.gateway.fork(person, id, undefined, 'once');
    a.isCut = true;
    a.isPaused = true;
    await several.pass(20_000);
    const again = await b.gateway.fork(person, id, undefined, 'once');
    expect(several.forwarded).toEqual(['b fork']);
    expect(again).toEqual(first);
    expect(await b.gateway.turns(person, again.id)).toHaveLength(1);
    expect((await b.gateway.fork(person, id, undefined, 'twice')).id).not.toBe(first.id);
    await b.gateway.deleteSession(person, first.id);
    expect(await b.gateway.fork(person, id, undefined, 'once')).toMatchObject({ title: first.title });
    expect((await b.gateway.listSessions(person, { limit: 10 })).sessions).toHaveLength(3);
  });

  it('is not changed by an owner that was paused and wakes up late [cluster.fencing.late-writes]', async () => {
    several = await SeveralServers.start('a', 'b');
    const [a, b] = [several.get('a'), several.get('b')];
    const { id } = await a.gateway.createSession(person, scripted);
    const first = await send(a.gateway, id, 'text 2 | ask Bash | tool | text 2');
    const readerOfA = follow(a.gateway, id, 0);
    await vi.waitFor(
      () => expect(readerOfA.seen.some(({ event }) => event.type === 'permission.asked')).toBe(true),
      patience,
    );
    // No write is waiting that could tell it earlier.
    await vi.waitFor(
      async () => expect(await several.store.lastSeq(id)).toBe((await a.local.state(person, id)).lastSeq),
      patience,
    );
    a.isPaused = true;
    await several.pass(16_000);
    const second = await send(b.gateway, id, 'text 1');
    await readUntil(b.gateway, person, id, 0, endOf(second.turnId));
    const stored = await several.store.eventsAfter(id, 0, 10_000);
    // It wakes up and goes on as if nothing had happened.
    a.isPaused = false;
    const [open] = (await a.local.state(person, id)).permissions;
    await a.local.decide(person, id, open?.id ?? '', { behavior: 'allow', scope: 'once' });
    await vi.waitFor(() => expect([...a.engine.running.values()]).toEqual([0]), patience);
    expect(a.engine.toolRuns.size).toBe(0);
    expect(await several.store.eventsAfter(id, 0, 10_000)).toEqual(stored);
    expect((await several.store.getTurn(first.turnId))?.status).toBe('interrupted');
    // Its readers look for the new owner and see the same end as everybody else.
    await several.pass(1_000);
    await vi.waitFor(() => expect(ends(readerOfA.seen, second.turnId)).toHaveLength(1), patience);
    await readerOfA.stop();
    expect(ends(readerOfA.seen, first.turnId)).toHaveLength(1);
    const numbers = readerOfA.seen.map(({ seq }) => seq);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('leaves nothing behind in its tenure, however often it is loaded', async () => {
    several = await SeveralServers.start('a');
    const a = several.get('a');
    const session = await a.gateway.createSession(person, scripted);
    const { tenure } = await a.owned.claim(session);
    const watch = tenure.onOver.bind(tenure);
    const watching = new Set<() => void>();
    let most = 0;
    tenure.onOver = (callback) => {
      const stop = watch(callback);
      watching.add(callback);
      most = Math.max(most, watching.size);
      return () => {
        watching.delete(callback);
        stop();
      };
    };
    for (let time = 0; time < 20; time += 1) await a.gateway.state(person, session.id);
    expect(most).toBe(1);
    await expect.poll(() => watching.size).toBe(0);
  });

  it('ends by the clock when its owner was paused, before any timer fires [cluster.fencing.clock]', async () => {
    several = await SeveralServers.start('a');
    const a = several.get('a');
    const session = await a.gateway.createSession(person, scripted);
    const { tenure } = await a.owned.claim(session);
    a.timers.skip(9_000);
    expect([tenure.isOver, a.lease.isHeld]).toEqual([false, true]);
    a.timers.skip(2_000);
    expect([tenure.isOver, a.lease.isHeld]).toEqual([true, false]);
    await expect(a.owned.claim(session)).rejects.toMatchObject({ code: 'moved' });
    expect(a.owned.size).toBe(0);
  });

  it('refuses what an earlier tenure of the same server writes [cluster.fencing.same-server]', async () => {
    several = await SeveralServers.start('a', 'b');
    const [a, b] = [several.get('a'), several.get('b')];
    const session = await a.gateway.createSession(person, scripted);
    const { tenure: early } = await a.owned.claim(session);
    const late = a.owned.under([early]);
    a.isCut = true;
    await several.pass(16_000);
    await b.owned.claim(session);
    a.isCut = false;
    await several.pass(6_000);
    await several.registry.leave({ id: 'b', machine: "b's machine", url: '' });
    const { tenure: again } = await a.owned.claim(session);
    expect(again.epoch).toBeGreaterThan(early.epoch);
    await expect(late.updateSession(session.id, { title: 'late' })).rejects.toMatchObject({ code: 'moved' });
    expect(await a.owned.under([again]).updateSession(session.id, { title: 'now' })).toBe(true);
    expect((await several.store.getSession(session.id))?.title).toBe('now');
  });

  it('drops only the events of the session that has moved when several are written at once [cluster.fencing.batch]', async () => {
    several = await SeveralServers.start('a', 'b');
    const a = several.get('a');
    const [moved, stays] = await Promise.all([1, 2].map(() => a.gateway.createSession(person, scripted)));
    const lost = await send(a.gateway, moved?.id ?? '', 'ask Bash');
    const kept = await send(a.gateway, stays?.id ?? '', 'ask Bash | text 2');
    await vi.waitFor(async () => {
      for (const session of [moved, stays])
        expect((await a.local.state(person, session?.id ?? '')).permissions).toHaveLength(1);
    }, patience);
    await several.registry.revoke(moved?.id ?? '');
    const [open] = (await a.local.state(person, stays?.id ?? '')).permissions;
    await a.local.decide(person, stays?.id ?? '', open?.id ?? '', { behavior: 'allow', scope: 'once' });
    await readUntil(a.gateway, person, stays?.id ?? '', 0, endOf(kept.turnId));
    expect((await several.store.getTurn(kept.turnId))?.status).toBe('completed');
    expect((await several.store.getTurn(lost.turnId))?.status).toBe('running');
  });

  it('is handed over at once by a server that drains [cluster.drain.hands-over]', async () => {
    several = await SeveralServers.start('a', 'b');
    const [a, b] = [several.get('a'), several.get('b')];
    const { id } = await a.gateway.createSession(person, scripted);
    const { turnId } = await send(a.gateway, id, 'text 1');
    await readUntil(a.gateway, person, id, 0, endOf(turnId));
    await a.local.close();
    await a.owned.drain();
    await a.lease.close();
    await b.local.state(person, id);
    expect(b.owned.size).toBe(1);
    expect(
      (await several.store.eventsAfter(id, 0, 100)).filter(({ event }) => event.type === 'turn.ended'),
    ).toHaveLength(1);
  });
});
