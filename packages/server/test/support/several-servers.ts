// Several servers in one process: real gateways and real ownership on one store, with a clock for each server and for the
// database, and a network that the test can cut.
import { randomUUID } from 'node:crypto';
import { createClusterGateway } from '../../src/cluster/cluster-gateway.ts';
import { OwnedSessions } from '../../src/cluster/owned-sessions.ts';
import { ServerLease } from '../../src/cluster/server-lease.ts';
import { type Actor, personOf, scopeOf } from '../../src/domain/access.ts';
import type { Gateway, PromptRequest } from '../../src/domain/gateway.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { movedAway } from '../../src/domain/ownership.ts';
import type { ServerRegistry } from '../../src/domain/server-registry.ts';
import type { Timers } from '../../src/domain/timers.ts';
import { createGateway, type RunningGateway } from '../../src/gateway/gateway.ts';
import { openSqliteStore, type SqliteStore } from '../../src/stores/sqlite/store.ts';
import { MemoryRegistry } from './memory-registry.ts';
import { ScriptedEngine } from './scripted-engine.ts';

/** Time that passes only when the test says so. */
export class ManualTimers implements Timers {
  #now = 0;
  #waiting: { readonly at: number; readonly work: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, work: () => void): () => void {
    const entry = { at: this.#now + ms, work };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  }

  /** As for a process that was paused and has not run its timers yet. */
  skip(ms: number): void {
    this.#now += ms;
  }

  advance(ms: number): void {
    this.#now += ms;
    const due = this.#waiting.filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at);
    this.#waiting = this.#waiting.filter(({ at }) => at > this.#now);
    for (const { work } of due) work();
  }
}

export interface TestServer {
  readonly name: string;
  readonly engine: ScriptedEngine;
  readonly timers: ManualTimers;
  readonly owned: OwnedSessions;
  readonly lease: ServerLease;
  readonly local: RunningGateway;
  /** The gateway that its doors use. */
  readonly gateway: Gateway;
  /** Cut off from the database. */
  isCut: boolean;
  /** Its process does nothing: no timer fires, nobody gets an answer. */
  isPaused: boolean;
}

export class SeveralServers {
  readonly store: SqliteStore;
  readonly registry: MemoryRegistry;
  readonly servers = new Map<string, TestServer>();
  readonly forwarded: string[] = [];
  readonly #database = new ManualTimers();

  private constructor(store: SqliteStore) {
    this.store = store;
    this.registry = new MemoryRegistry(store, () => this.#database.now());
  }

  static async start(...names: readonly string[]): Promise<SeveralServers> {
    const several = new SeveralServers(await openSqliteStore({ file: ':memory:' }));
    for (const name of names) await several.add(name);
    return several;
  }

  get(name: string): TestServer {
    const server = this.servers.get(name);
    if (!server) throw new Error(`no server ${name}`);
    return server;
  }

  async add(name: string): Promise<TestServer> {
    const info = { id: name, machine: `${name}'s machine`, url: `http://${name}` };
    const timers = new ManualTimers();
    const engine = new ScriptedEngine();
    const parts = { registry: this.#reachable(name), server: info, timers, logger: silentLogger };
    const lease = new ServerLease(parts);
    const owned = new OwnedSessions({ ...parts, lease });
    const local = createGateway({
      store: this.store,
      ownership: owned,
      engines: [engine],
      clock: { now: () => Date.now() },
      newId: randomUUID,
      logger: silentLogger,
      observer: { turnEnded: () => undefined },
      limits: { queue: 20, keptEvents: 1_000_000, log: { events: 1_024, bytes: 1_000_000 } },
    });
    const gateway = createClusterGateway({
      local,
      reach: ({ id }) => this.#over(id),
      timers,
      newId: randomUUID,
      onForwarded: (call) => this.forwarded.push(`${name} ${call}`),
    });
    const server = { name, engine, timers, owned, lease, local, gateway, isCut: false, isPaused: false };
    this.servers.set(name, server);
    await lease.start();
    return server;
  }

  /** Lets time pass for everybody who isn't paused, in steps, so that each gets to act. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 250) {
      this.#database.advance(250);
      for (const server of this.servers.values()) if (!server.isPaused) server.timers.advance(250);
      await settled();
    }
  }

  async close(): Promise<void> {
    for (const server of this.servers.values()) {
      server.isCut = false;
      server.isPaused = false;
      await server.local.close();
      await server.lease.close();
      server.owned.close();
    }
    await this.store.close();
  }

  #reachable(name: string): ServerRegistry {
    return new Proxy<ServerRegistry>(this.registry, {
      get: (registry, method: keyof ServerRegistry) => {
        const call = registry[method] as (...args: unknown[]) => unknown;
        if (method === 'under') return call.bind(registry);
        return async (...args: unknown[]) => {
          if (this.servers.get(name)?.isCut) throw new Error('the database cannot be reached');
          return call.apply(registry, args);
        };
      },
    });
  }

  /** The gateway of another server, over the network. */
  #over(id: string): Gateway {
    const target = () => {
      const server = this.servers.get(id);
      if (!server || server.isPaused) throw movedAway();
      return server.gateway;
    };
    return new Proxy({} as Gateway, {
      get: (_, method: keyof Gateway) => {
        if (method === 'prompt' || method === 'branch') {
          return async (request: PromptRequest) =>
            target().prompt({ ...request, person: forwarded(request.person) });
        }
        if (method === 'subscribe') {
          return (actor: Actor, ...rest: [string]) => target().subscribe(forwarded(actor), ...rest);
        }
        return async (actor: Actor, ...rest: unknown[]) =>
          (target()[method] as (...args: unknown[]) => unknown)(forwarded(actor), ...rest);
      },
    });
  }
}

/** What is under way, such as a write to the store, gets done. */
async function settled(): Promise<void> {
  for (let tick = 0; tick < 10; tick += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** As it arrives at another server. */
export function forwarded(actor: Actor): Actor {
  return { person: personOf(actor), scope: scopeOf(actor) ?? { readOnly: false }, forwarded: true };
}
