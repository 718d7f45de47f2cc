// The sessions that this server owns. A tenure begins with a claim in the registry. It is kept for a moment after its last
// use, and ends when the session is handed over, when it has moved, or when this server has lost its lease.
import type { Session, SessionId } from '@parley/protocol';
import type { Logger } from '../domain/logger.ts';
import { absentMachine } from '../domain/machines.ts';
import { type Claim, movedAway, OwnedElsewhere, type Ownership, type Tenure } from '../domain/ownership.ts';
import type { Server, ServerRegistry } from '../domain/server-registry.ts';
import type { Store } from '../domain/store.ts';
import type { Timers } from '../domain/timers.ts';
import type { ServerLease } from './server-lease.ts';

export interface OwnedSessionsParts {
  readonly registry: ServerRegistry;
  readonly server: Server;
  readonly lease: Pick<ServerLease, 'isHeld' | 'onLost'>;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Called when this server takes over a session from one that stopped without handing it over. */
  readonly onTakeover?: (id: SessionId) => void;
}

interface Held {
  readonly tenure: HeldTenure;
  /** Set while nobody uses the session here. */
  idleSince?: number;
}

/** A page makes several calls in a row; each would otherwise claim the session again. */
const idleMs = 2_000;
const releaseEveryMs = 500;

export class OwnedSessions implements Ownership {
  readonly #parts: OwnedSessionsParts;
  readonly #held = new Map<SessionId, Held>();
  readonly #releasing = new Map<SessionId, Promise<void>>();
  /** Their tenures ended without being handed over, so the registry may still name this server as their owner. */
  #lost = new Set<SessionId>();
  #isDraining = false;
  #cancelTimer: (() => void) | undefined;

  constructor(parts: OwnedSessionsParts) {
    this.#parts = parts;
    parts.lease.onLost(() => this.#leaseLost());
  }

  get size(): number {
    return this.#held.size;
  }

  async claim({ id, engine }: Pick<Session, 'id' | 'engine'>): Promise<Claim> {
    const held = this.#held.get(id);
    if (held) {
      delete held.idleSince;
      return { tenure: held.tenure, start: 'continued' };
    }
    await this.#releasing.get(id);
    this.#requireLease();
    const { registry, server } = this.#parts;
    if (this.#isDraining) {
      const other = (await registry.list()).find((one) => one.id !== server.id);
      if (other) throw new OwnedElsewhere(other);
    }
    // The record of Claude Code is a file on the machine where it runs.
    const answer = await registry.claim(server, id, { pinned: engine === 'claude-code' });
    if ('owner' in answer) throw new OwnedElsewhere(answer.owner);
    if ('absentMachine' in answer) throw absentMachine(answer.absentMachine);
    // The lease may have ended while the claim was under way.
    if (!this.#parts.lease.isHeld) this.#lost.add(id);
    this.#requireLease();
    const tenure = this.#begin(id, answer.epoch);
    if (answer.start === 'abandoned') this.#parts.onTakeover?.(id);
    return { tenure, start: answer.start };
  }

  release({ session, epoch }: Tenure): void {
    const held = this.#held.get(session);
    if (held?.tenure.epoch !== epoch) return;
    held.idleSince = this.#parts.timers.now();
    if (this.#isDraining) this.#releaseIdle(0);
    else this.#releaseLater();
  }

  drop(tenure: Tenure): void {
    if (this.#held.get(tenure.session)?.tenure === tenure) this.#lose(tenure.session);
  }

  async revoke(id: SessionId): Promise<void> {
    this.#end(id);
    await this.#parts.registry.revoke(id);
  }

  under(tenures: readonly Tenure[]): Store {
    return this.#parts.registry.under(tenures, (tenure) => this.drop(tenure));
  }

  async abandoned(): Promise<readonly SessionId[]> {
    if (this.#isDraining || !this.#parts.lease.isHeld) return [];
    const asked = [...this.#lost];
    const found = await this.#parts.registry.abandoned(this.#parts.server, asked);
    const isWaiting = new Set(found);
    for (const id of asked) if (!isWaiting.has(id)) this.#lost.delete(id);
    return found;
  }

  /** From now on, sessions are handed over as soon as they are idle. Resolves when those that are idle already are. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#releaseIdle(0);
    await Promise.all(this.#releasing.values());
  }

  close(): void {
    this.#cancelTimer?.();
    for (const id of this.#held.keys()) this.#end(id);
  }

  #begin(session: SessionId, epoch: number): Tenure {
    const tenure = new HeldTenure(session, epoch, this.#parts.lease);
    this.#held.set(session, { tenure });
    this.#lost.delete(session);
    return tenure;
  }

  /** This server can't be sure any more that it owns anything: everything stops, and nothing new starts. */
  #leaseLost(): void {
    for (const id of this.#held.keys()) this.#lose(id);
  }

  #lose(id: SessionId): void {
    this.#lost.add(id);
    this.#end(id);
  }

  #end(id: SessionId): void {
    const held = this.#held.get(id);
    this.#held.delete(id);
    held?.tenure.end();
  }

  #releaseLater(): void {
    this.#cancelTimer ??= this.#parts.timers.after(releaseEveryMs, () => {
      this.#cancelTimer = undefined;
      this.#releaseIdle(idleMs);
      if ([...this.#held.values()].some(({ idleSince }) => idleSince !== undefined)) this.#releaseLater();
    });
  }

  /** All in one statement. */
  #releaseIdle(olderThanMs: number): void {
    const { registry, timers, logger } = this.#parts;
    const before = timers.now() - olderThanMs;
    const tenures = [...this.#held.values()]
      .filter(({ idleSince = Number.POSITIVE_INFINITY }) => idleSince <= before)
      .map(({ tenure }) => tenure);
    if (tenures.length === 0) return;
    for (const { session } of tenures) this.#held.delete(session);
    const released = registry
      .release(tenures)
      .catch((error: unknown) => logger.warn({ err: error }, 'sessions could not be handed over'))
      .finally(() => {
        for (const { session } of tenures) {
          if (this.#releasing.get(session) === released) this.#releasing.delete(session);
        }
      });
    for (const { session } of tenures) this.#releasing.set(session, released);
  }

  /** Without a lease, the caller has to try another server, or try again. */
  #requireLease(): void {
    if (!this.#parts.lease.isHeld) throw movedAway();
  }
}

class HeldTenure implements Tenure {
  readonly session: SessionId;
  readonly epoch: number;
  readonly #lease: Pick<ServerLease, 'isHeld'>;
  readonly #callbacks = new Set<() => void>();
  #isOver = false;

  constructor(session: SessionId, epoch: number, lease: Pick<ServerLease, 'isHeld'>) {
    this.session = session;
    this.epoch = epoch;
    this.#lease = lease;
  }

  get isOver(): boolean {
    // Ends the tenure if the lease has just run out.
    void this.#lease.isHeld;
    return this.#isOver;
  }

  onOver(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => void this.#callbacks.delete(callback);
  }

  end(): void {
    this.#isOver = true;
    for (const callback of this.#callbacks) callback();
  }
}
