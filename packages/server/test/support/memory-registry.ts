// The registry of servers in memory, on a clock that the test moves: the reference for the one in the database.
import type { SessionId } from '@parley/protocol';
import { movedAway, type Tenure } from '../../src/domain/ownership.ts';
import { leaseMs, type Server, type ServerRegistry } from '../../src/domain/server-registry.ts';
import type { Store } from '../../src/domain/store.ts';

interface Row {
  owner: string | undefined;
  epoch: number;
  machine: string | undefined;
}

/** What an owner writes; everything else only reads, or creates something that nobody owns yet. */
const writes = new Set<keyof Store>([
  'together',
  'updateSession',
  'admit',
  'updateTurn',
  'reorderTurns',
  'appendMessages',
  'appendEvents',
  'pruneEvents',
]);

export class MemoryRegistry implements ServerRegistry {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #leases = new Map<string, { readonly server: Server; until: number }>();
  readonly #owners = new Map<SessionId, Row>();
  #epoch = 0;
  /** Turned off to show that a test notices. */
  isFencing = true;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  async renew(server: Server): Promise<void> {
    this.#leases.set(server.id, { server, until: this.#now() + leaseMs });
  }

  async replace({ machine }: Server): Promise<void> {
    for (const { server } of this.#leases.values()) {
      if (server.machine === machine) this.#leases.delete(server.id);
    }
  }

  async leave({ id }: Server): Promise<void> {
    this.#leases.delete(id);
  }

  async clock(): Promise<number> {
    return this.#now();
  }

  async list(): Promise<readonly Server[]> {
    return [...this.#leases.values()].filter(({ until }) => until > this.#now()).map(({ server }) => server);
  }

  async claim(server: Server, session: SessionId, { pinned }: { readonly pinned: boolean }) {
    const row = this.#owners.get(session);
    const running = await this.list();
    const owner = running.find(({ id }) => id === row?.owner);
    if (owner && owner.id !== server.id) return { owner };
    if (row?.machine !== undefined && row.machine !== server.machine) {
      const there = running.find(({ machine }) => machine === row.machine);
      return there ? { owner: there } : { absentMachine: row.machine };
    }
    this.#epoch += 1;
    const machine = row?.machine ?? (pinned ? server.machine : undefined);
    this.#owners.set(session, { owner: server.id, epoch: this.#epoch, machine });
    return {
      epoch: this.#epoch,
      start: row?.owner === undefined ? ('free' as const) : ('abandoned' as const),
    };
  }

  async release(tenures: readonly Pick<Tenure, 'session' | 'epoch'>[]): Promise<void> {
    for (const { session, epoch } of tenures) {
      const row = this.#owners.get(session);
      if (row?.epoch === epoch) this.#free(session, row);
    }
  }

  async revoke(session: SessionId): Promise<void> {
    this.#owners.delete(session);
  }

  under(tenures: readonly Tenure[], onOver: (tenure: Tenure) => void): Store {
    const check = () => {
      const over = tenures.filter(({ session, epoch }) => this.#owners.get(session)?.epoch !== epoch);
      if (!this.isFencing || over.length === 0) return;
      for (const tenure of over) onOver(tenure);
      throw movedAway();
    };
    return new Proxy(this.#store, {
      get: (store, name: keyof Store) => {
        const method = store[name] as (...args: unknown[]) => Promise<unknown>;
        if (!writes.has(name)) return method.bind(store);
        return async (...args: unknown[]) => {
          check();
          return method.apply(store, args);
        };
      },
    });
  }

  async abandoned({ id: self, machine }: Server, lost: readonly SessionId[]): Promise<readonly SessionId[]> {
    const running = new Set((await this.list()).map(({ id }) => id));
    const ids = new Set((await this.#store.unfinishedTurns()).map(({ sessionId }) => sessionId));
    return [...ids].filter((id) => {
      const row = this.#owners.get(id);
      const isFree = !running.has(row?.owner ?? '') || (row?.owner === self && lost.includes(id));
      return isFree && (row?.machine ?? machine) === machine;
    });
  }

  #free(session: SessionId, row: Row): void {
    if (row.machine === undefined) this.#owners.delete(session);
    else this.#owners.set(session, { ...row, owner: undefined });
  }
}
