// The registry of servers in PostgreSQL, and what it refuses.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { confirmOwnership, type Tenure } from '../../src/domain/ownership.ts';
import type { Server, ServerRegistry } from '../../src/domain/server-registry.ts';
import { createMachineRecords } from '../../src/stores/postgres/machines.ts';
import { createServerRegistry } from '../../src/stores/postgres/servers.ts';
import { openPostgresStore, type PostgresStore } from '../../src/stores/postgres/store.ts';
import { run } from '../../src/stores/sql/work.ts';
import { usePostgres } from './postgres-database.ts';

const postgres = usePostgres();
const [a, b] = ['a', 'b'].map((id) => ({ id, machine: `machine ${id}`, url: `http://${id}` })) as [
  Server,
  Server,
];
const free = { pinned: false };

async function withRegistry(
  work: (registry: ServerRegistry, store: PostgresStore) => Promise<void>,
): Promise<void> {
  const store = await openPostgresStore({ url: await postgres().createDatabase() });
  try {
    const registry = createServerRegistry(store);
    await registry.renew(a);
    await registry.renew(b);
    await work(registry, store);
  } finally {
    await store.close();
  }
}

/** As if the server had not renewed its lease for long. */
const endLease = (store: PostgresStore, { id }: Server) =>
  store.database.relaxed(() =>
    run("UPDATE servers SET lease_until = now() - interval '1 second' WHERE id = ?", [id]),
  );

function tenureOf(session: string, answer: Awaited<ReturnType<ServerRegistry['claim']>>): Tenure {
  if (!('epoch' in answer)) throw new Error('somebody else owns it');
  return { session, epoch: answer.epoch, isOver: false, onOver: () => () => undefined };
}

const newSession = async (store: PostgresStore, engine: 'messages-api' | 'claude-code' = 'messages-api') => {
  const session = {
    id: randomUUID(),
    person: 'petra',
    engine,
    assistant: 'test',
    title: '',
    settings: {},
    createdAt: 1,
    updatedAt: 1,
  } as const;
  await store.createSession(session);
  return session.id;
};

describe('the registry in PostgreSQL', () => {
  it('gives a session to one server until it is released or the lease is over [cluster.registry.one-owner]', () =>
    withRegistry(async (registry, store) => {
      const id = await newSession(store);
      const first = await registry.claim(a, id, free);
      expect(first).toMatchObject({ start: 'free' });
      expect(await registry.claim(b, id, free)).toEqual({ owner: { id: 'a', url: 'http://a' } });
      await registry.release([tenureOf(id, first)]);
      const second = await registry.claim(b, id, free);
      expect(second).toMatchObject({ start: 'free' });
      expect(tenureOf(id, second).epoch).toBeGreaterThan(tenureOf(id, first).epoch);
      await endLease(store, b);
      expect(await registry.claim(a, id, free)).toMatchObject({ start: 'abandoned' });
      expect((await registry.list()).map(({ id: name }) => name)).toEqual(['a']);
    }));

  it('lets only one of many claims succeed at the same time [cluster.registry.one-owner]', () =>
    withRegistry(async (registry, store) => {
      const id = await newSession(store);
      await registry.claim(a, id, free);
      await endLease(store, a);
      const others = Array.from({ length: 8 }, (_, at) => ({
        id: `s${at}`,
        machine: `m${at}`,
        url: `http://s${at}`,
      }));
      for (const server of others) await registry.renew(server);
      const answers = await Promise.all(others.map((server) => registry.claim(server, id, free)));
      expect(answers.filter((answer) => 'epoch' in answer)).toHaveLength(1);
    }));

  it('refuses a write under a tenure that is over, as a whole [cluster.fencing.database]', () =>
    withRegistry(async (registry, store) => {
      const [moved, stays] = [await newSession(store), await newSession(store)];
      const old = tenureOf(moved, await registry.claim(a, moved, free));
      const current = tenureOf(stays, await registry.claim(a, stays, free));
      await endLease(store, a);
      await registry.claim(b, moved, free);
      const over: Tenure[] = [];
      const both = registry.under([old, current], (tenure) => over.push(tenure));
      await expect(
        both.together((unit) => {
          unit.updateSession(stays, { title: 'not this' });
          unit.updateSession(moved, { title: 'nor this' });
        }),
      ).rejects.toMatchObject({ code: 'moved' });
      expect(over).toContain(old);
      expect(over).not.toContain(current);
      expect((await store.getSession(stays))?.title).toBe('');
      await registry.under([current], () => undefined).updateSession(stays, { title: 'this' });
      expect((await store.getSession(stays))?.title).toBe('this');
      expect((await store.getSession(moved))?.title).toBe('');
      await confirmOwnership(registry.under([current], () => undefined));
      await expect(confirmOwnership(both)).rejects.toMatchObject({ code: 'moved' });
    }));

  it('keeps a Claude Code session on its machine [cluster.machine.pinned]', () =>
    withRegistry(async (registry, store) => {
      const id = await newSession(store);
      const pinned = { pinned: true };
      await registry.release([tenureOf(id, await registry.claim(a, id, pinned))]);
      expect(await registry.claim(b, id, pinned)).toEqual({ owner: { id: 'a', url: 'http://a' } });
      await endLease(store, a);
      expect(await registry.claim(b, id, pinned)).toEqual({ absentMachine: 'machine a' });
      const again = { ...a, id: 'a after a restart' };
      await registry.replace(again);
      await registry.renew(again);
      expect(await registry.claim(again, id, pinned)).toMatchObject({ start: 'free' });
    }));

  it('lists the sessions of absent machines, except for those that were removed [cluster.machine.list]', () =>
    withRegistry(async (registry, store) => {
      const wanted = { person: 'petra', also: [], machines: ['machine b'], limit: 10 };
      const listed = async () =>
        (await createMachineRecords(store).onOtherMachines(wanted)).map(({ session }) => session.id);
      const [stays, gone] = [await newSession(store, 'claude-code'), await newSession(store, 'claude-code')];
      for (const id of [stays, gone]) await registry.claim(a, id, { pinned: true });
      expect((await listed()).sort()).toEqual([stays, gone].sort());
      await store.marks.remove(gone, 1_000);
      expect(await listed()).toEqual([stays]);
      // Its time is up, but only its machine can delete it.
      await store.marks.takeDue(2_000);
      expect(await listed()).toEqual([stays]);
    }));

  it('finds sessions with work and no owner [cluster.registry.abandoned]', () =>
    withRegistry(async (registry, store) => {
      const id = await newSession(store);
      const session = await store.getSession(id);
      if (!session) throw new Error('no session');
      await registry.claim(a, id, free);
      const turn = {
        id: randomUUID(),
        sessionId: id,
        key: 'k',
        door: 'test',
        prompt: [{ type: 'text' as const, text: 'hello' }],
        status: 'queued' as const,
        after: 0,
        text: '',
        usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0 },
        queuedAt: 1,
      };
      await store.admit(turn, session, { newSession: false });
      expect(await registry.abandoned(b, [])).toEqual([]);
      await registry.leave(a);
      expect(await registry.abandoned(b, [])).toEqual([id]);
      // It has not been given back, so nobody knows whether everything is stored.
      expect(await registry.claim(b, id, free)).toMatchObject({ start: 'abandoned' });
      expect(await registry.abandoned(b, [])).toEqual([]);
      expect(await registry.abandoned(b, [id])).toEqual([id]);
      expect(await registry.abandoned(a, [id])).toEqual([]);
    }));
});
