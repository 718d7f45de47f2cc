// Two servers that reach each other over real HTTP, with the policy of the door in between.
import { randomUUID } from 'node:crypto';
import { type Envelope, ParleyError } from '@parley/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClusterGateway } from '../../src/cluster/cluster-gateway.ts';
import { OwnedSessions } from '../../src/cluster/owned-sessions.ts';
import { createRemoteGateway } from '../../src/cluster/remote-gateway.ts';
import { ServerLease } from '../../src/cluster/server-lease.ts';
import { ServerSignature, serverHeader } from '../../src/cluster/server-signature.ts';
import { systemClock } from '../../src/domain/clock.ts';
import type { Gateway } from '../../src/domain/gateway.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import type { Server } from '../../src/domain/server-registry.ts';
import { systemTimers } from '../../src/domain/timers.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { openSqliteStore, type SqliteStore } from '../../src/stores/sqlite/store.ts';
import { type DoorHarness, key, startDoor } from '../doors/http/door-harness.ts';
import { endOf, readUntil, say, scripted } from '../support/gateway-harness.ts';
import { MemoryRegistry } from '../support/memory-registry.ts';
import { ScriptedEngine } from '../support/scripted-engine.ts';

/** Long, because machines are busy. */
const patience = { timeout: 60_000 };

const person = 'petra';
const secret = 'a secret that all servers have';

interface Node {
  readonly door: DoorHarness;
  readonly gateway: Gateway;
  readonly server: Server;
  readonly engine: ScriptedEngine;
  close(): Promise<void>;
}

let store: SqliteStore;
let registry: MemoryRegistry;
let nodes: Node[];

/** Like a connection that breaks after the other server has done what it was asked to do. */
function losingOnce(path: string): typeof globalThis.fetch {
  let isLost = false;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (isLost || !response.url.endsWith(path)) return response;
    isLost = true;
    throw new TypeError('fetch failed');
  };
}

async function startNode(name: string, given = secret, fetch = globalThis.fetch): Promise<Node> {
  const server = { id: name, machine: name, url: '' };
  const signature = new ServerSignature(given, systemClock);
  const parts = { registry, server, timers: systemTimers, logger: silentLogger };
  const lease = new ServerLease(parts);
  const owned = new OwnedSessions({ ...parts, lease });
  const engine = new ScriptedEngine();
  const local = createGateway({
    store,
    ownership: owned,
    engines: [engine],
    clock: systemClock,
    newId: randomUUID,
    logger: silentLogger,
    observer: { turnEnded: () => undefined },
    limits: { queue: 20, keptEvents: 5_000, log: { events: 1_024, bytes: 1_000_000 } },
  });
  const gateway = createClusterGateway({
    local,
    reach: (other) => createRemoteGateway({ server: other, signature, fetch, timers: systemTimers, local }),
    timers: systemTimers,
    newId: randomUUID,
  });
  const door = await startDoor({ gateway, servers: signature });
  server.url = door.url;
  await lease.start();
  const node = {
    door,
    gateway,
    server,
    engine,
    async close() {
      await local.close();
      await owned.drain();
      await lease.close();
      await door.stop();
    },
  };
  nodes.push(node);
  return node;
}

beforeEach(async () => {
  nodes = [];
  store = await openSqliteStore({ file: ':memory:' });
  registry = new MemoryRegistry(store, () => performance.now());
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await store.close();
});

const image = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;

describe('two servers over HTTP', () => {
  it('pass on prompts, events, decisions and the queue [cluster.any-server.http]', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')];
    const { id } = await a.gateway.createSession(person, scripted);
    const first = await a.gateway.prompt({ person, session: id, prompt: say('ask Bash'), door: 'test' });
    const prompt = [image, ...say('text 2')];
    const request = { person, session: id, prompt, door: 'discord', canAsk: false, key: 'once' } as const;
    const second = await b.gateway.prompt(request);
    expect(second).toMatchObject({ fresh: true, prompt, session: { id } });
    expect(await b.gateway.prompt(request)).toMatchObject({ fresh: false, turnId: second.turnId, prompt });
    const third = await b.gateway.prompt({ person, session: id, prompt: say('text 1'), door: 'test' });
    const state = await b.gateway.state(person, id);
    expect(state).toEqual(await a.gateway.state(person, id));
    expect(state.queue.map(({ turnId }) => turnId)).toEqual([second.turnId, third.turnId]);
    await b.gateway.reorder(person, id, [third.turnId, second.turnId]);
    expect(await b.gateway.withdraw(person, id, third.turnId)).toBe(true);
    expect(await b.gateway.withdraw(person, id, third.turnId)).toBe(false);
    await vi.waitFor(
      async () => expect((await b.gateway.state(person, id)).permissions).toHaveLength(1),
      patience,
    );
    const [open] = (await b.gateway.state(person, id)).permissions;
    const deny = { behavior: 'deny', message: 'no' } as const;
    expect(await b.gateway.decide(person, id, open?.id ?? '', deny)).toBe(true);
    expect(await b.gateway.decide(person, id, open?.id ?? '', deny)).toBe(false);
    const seen = await readUntil(b.gateway, person, id, 0, endOf(second.turnId));
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
    expect(seen.filter(endOf(first.turnId))).toHaveLength(1);
    expect((await store.getTurn(second.turnId))?.door).toBe('discord');
    expect((await b.gateway.configure(person, id, { model: 'm' })).settings).toMatchObject({ model: 'm' });
    expect((await b.gateway.renameSession(person, id, 'Title')).title).toBe('Title');
    expect(await b.gateway.interrupt(person, id)).toBe(false);
    await b.gateway.deleteSession(person, id);
    await expect(a.gateway.getSession(person, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('rename a session for its owner, too, while its first prompt is being answered', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')];
    const { id } = await a.gateway.createSession(person, scripted);
    const { turnId } = await a.gateway.prompt({ person, session: id, prompt: say('ask Bash'), door: 'test' });
    await b.gateway.renameSession(person, id, 'Title');
    await a.gateway.interrupt(person, id);
    await readUntil(a.gateway, person, id, 0, endOf(turnId));
    await vi.waitFor(async () => expect((await store.getTurn(turnId))?.status).toBe('interrupted'), patience);
    expect((await b.gateway.getSession(person, id)).title).toBe('Title');
  });

  it('make one fork if the answer to the first attempt gets lost', async () => {
    const a = await startNode('a');
    const b = await startNode('b', secret, losingOnce('/forks'));
    const { id } = await a.gateway.createSession(person, scripted);
    const first = await a.gateway.prompt({ person, session: id, prompt: say('text 2'), door: 'test' });
    await readUntil(a.gateway, person, id, 0, endOf(first.turnId));
    const second = await a.gateway.prompt({ person, session: id, prompt: say('ask Bash'), door: 'test' });
    const fork = await b.gateway.fork(person, id);
    const { sessions } = await b.gateway.listSessions(person, { limit: 10 });
    expect(sessions.map((session) => session.id).sort()).toEqual([id, fork.id].sort());
    expect((await b.gateway.turns(person, fork.id)).map(({ origin }) => origin)).toEqual([first.turnId]);
    const forked = await readUntil(b.gateway, person, fork.id, 0, ({ event }) => event.type === 'turn.ended');
    expect(forked.some(({ turnId }) => turnId === second.turnId)).toBe(false);
  });

  it('pass on how long to wait before the next attempt', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')];
    const { id } = await a.gateway.createSession(person, scripted);
    await a.gateway.prompt({ person, session: id, prompt: say('ask Bash'), door: 'test' });
    Object.assign(a.engine, {
      check() {
        throw new ParleyError('over_budget', 'The budget is used up.', { retryAfterSeconds: 37 });
      },
    });
    const refused = b.gateway.prompt({ person, session: id, prompt: say('text 1'), door: 'test' });
    await expect(refused).rejects.toMatchObject({ code: 'over_budget', retryAfterSeconds: 37 });
  });

  it('continue a stream on the new owner when the old one hands the session over [cluster.drain.streams]', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')];
    const { id } = await a.gateway.createSession(person, scripted);
    const first = await a.gateway.prompt({ person, session: id, prompt: say('text 2'), door: 'test' });
    const seen: Envelope[] = [];
    const stop = new AbortController();
    const reading = (async () => {
      for await (const one of b.gateway.subscribe(person, id, { after: 0, signal: stop.signal }))
        seen.push(one);
    })();
    await vi.waitFor(() => expect(seen.filter(endOf(first.turnId))).toHaveLength(1), patience);
    nodes = nodes.filter((node) => node !== a);
    await a.close();
    const second = await b.gateway.prompt({ person, session: id, prompt: say('text 1'), door: 'test' });
    await vi.waitFor(() => expect(seen.filter(endOf(second.turnId))).toHaveLength(1), patience);
    stop.abort();
    await reading;
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
  });

  it('say what to do if they have different secrets [cluster.secret.wrong]', async () => {
    const [a, b] = [await startNode('a'), await startNode('b', 'another secret')];
    const { id } = await a.gateway.createSession(person, scripted);
    await a.gateway.prompt({ person, session: id, prompt: say('ask Bash'), door: 'test' });
    await expect(b.gateway.state(person, id)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('PARLEY_CLUSTER_SECRET'),
    });
  });
});

describe('a request that claims to come from another server', () => {
  const path = '/api/sessions';
  const scope = { readOnly: false };

  async function ask(node: Node, header: string, asked = path, extra = {}): Promise<number> {
    const response = await fetch(`${node.door.url}${asked}`, {
      headers: { [serverHeader]: header, ...extra },
    });
    return response.status;
  }

  it('counts once, for its own path, and only with the right secret [cluster.secret.never-from-outside]', async () => {
    const node = await startNode('a');
    const signature = new ServerSignature(secret, systemClock);
    const valid = signature.sign({ person, scope }, { method: 'GET', path });
    expect(await ask(node, valid)).toBe(200);
    expect(await ask(node, valid)).toBe(401);
    const other = signature.sign({ person, scope }, { method: 'GET', path });
    expect(await ask(node, other, '/api/me')).toBe(401);
    const wrong = new ServerSignature('guessed', systemClock).sign(
      { person, scope },
      { method: 'GET', path },
    );
    expect(await ask(node, wrong)).toBe(401);
    const late = new ServerSignature(secret, { now: () => Date.now() - 61_000 });
    expect(await ask(node, late.sign({ person, scope }, { method: 'GET', path }))).toBe(401);
    expect(await ask(node, 'nonsense')).toBe(401);
    // Not even with other valid credentials.
    expect(await ask(node, wrong, path, { 'x-api-key': key, 'x-notes-person': person })).toBe(401);
    const stranger = signature.sign({ person: 'stranger', scope }, { method: 'GET', path });
    expect(await ask(node, stranger)).toBe(400);
  });

  it('can do no more than the credentials that the other server has checked [cluster.secret.scope]', async () => {
    const node = await startNode('a');
    const signature = new ServerSignature(secret, systemClock);
    const { id } = await node.gateway.createSession(person, scripted);
    const asked = `/api/sessions/${id}/interrupt`;
    const send = async (readOnly: boolean) => {
      const header = signature.sign({ person, scope: { readOnly } }, { method: 'POST', path: asked });
      return (
        await fetch(`${node.door.url}${asked}`, { method: 'POST', headers: { [serverHeader]: header } })
      ).status;
    };
    expect(await send(true)).toBe(403);
    expect(await send(false)).toBe(200);
  });

  it('keeps the address of the person for the audit log [cluster.secret.address]', async () => {
    const { door } = await startNode('a');
    const signature = new ServerSignature(secret, systemClock);
    const address = '203.0.113.9';
    const pass = signature.sign({ person, scope, address }, { method: 'POST', path: '/api/keys' });
    const send = async (headers: Record<string, string>, label: string) => {
      const body = JSON.stringify({ label });
      const type = { 'content-type': 'application/json' };
      return fetch(`${door.url}/api/keys`, { method: 'POST', headers: { ...type, ...headers }, body });
    };
    expect((await send({ [serverHeader]: pass }, 'passed on')).status).toBe(201);
    // Nobody else can choose the address.
    const own = { 'x-api-key': key, 'x-notes-person': person, 'x-forwarded-for': address };
    expect((await send(own, 'direct')).status).toBe(201);
    await vi.waitFor(async () => {
      const entries = await door.store.audit.search({ action: 'key.created', limit: 10 });
      expect(entries.map((entry) => [entry.subject, entry.address])).toEqual([
        ['direct', '127.0.0.1'],
        ['passed on', address],
      ]);
    });
  });

  it('is the only one that may send what servers send each other [cluster.secret.forwarded-fields]', async () => {
    const node = await startNode('a');
    const { id } = await node.gateway.createSession('sebastian', scripted);
    const response = await node.door.post(`/api/sessions/${id}/prompts`, {
      forwarded: { prompt: say('hello'), door: 'test' },
    });
    expect(response.status).toBe(400);
    const configured = await node.door.fetch(`/api/sessions/${id}`, {
      method: 'PATCH',
      body: JSON.stringify({ settings: { chat: 'x' } }),
      headers: { 'content-type': 'application/json' },
    });
    expect(configured.status).toBe(400);
  });
});
