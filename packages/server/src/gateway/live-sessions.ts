// Which sessions are in memory. A session is loaded for its first user and unloaded after its last; whoever
// uses one holds a lease, so that it is never in memory twice.
import type { Session, SessionId } from '@parley/protocol';
import type { LiveSession } from './live-session.ts';

export interface Lease {
  readonly live: LiveSession;
  release(): void;
}

interface Entry {
  readonly live: Promise<LiveSession>;
  leases: number;
}

export class LiveSessions {
  readonly #entries = new Map<SessionId, Entry>();
  readonly #load: (session: Session) => Promise<LiveSession>;
  readonly #beforeUnload: () => Promise<void>;

  constructor(load: (session: Session) => Promise<LiveSession>, beforeUnload: () => Promise<void>) {
    this.#load = load;
    this.#beforeUnload = beforeUnload;
  }

  async acquire(session: Session): Promise<Lease> {
    const entry = this.#entries.get(session.id) ?? this.#add(session);
    entry.leases += 1;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      entry.leases -= 1;
      if (entry.leases === 0) void this.#unload(session.id, entry);
    };
    try {
      return { live: await entry.live, release };
    } catch (error) {
      this.#entries.delete(session.id);
      release();
      throw error;
    }
  }

  /** The session when it is in memory; for a look that must not load it. */
  async peek(id: SessionId): Promise<LiveSession | undefined> {
    return this.#entries.get(id)?.live;
  }

  all(): Promise<readonly LiveSession[]> {
    return Promise.all([...this.#entries.values()].map((entry) => entry.live));
  }

  #add(session: Session): Entry {
    const entry: Entry = { live: this.#load(session), leases: 0 };
    this.#entries.set(session.id, entry);
    return entry;
  }

  /** Only once all its events are kept, or the next load would number from too low. */
  async #unload(id: SessionId, entry: Entry): Promise<void> {
    try {
      await this.#beforeUnload();
      const live = await entry.live;
      if (entry.leases > 0 || this.#entries.get(id) !== entry) return;
      this.#entries.delete(id);
      live.unloaded();
    } catch {
      // It stays until it is used again, and left again.
    }
  }
}
