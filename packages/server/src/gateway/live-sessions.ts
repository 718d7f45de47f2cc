// Keeps track of the sessions in memory. The first caller loads a session, and every caller holds a lease, so that it
// is never in memory twice. After the last lease it is unloaded: at once if the store has its events, otherwise after a
// while, so that a reader that lost its connection can resume.
import type { Session, SessionId } from '@parley/protocol';
import type { Timers } from '../domain/timers.ts';
import type { LiveSession } from './live-session.ts';

export interface Lease {
  readonly live: LiveSession;
  release(): void;
}

interface Entry {
  readonly live: Promise<LiveSession>;
  /** Set once it is loaded. */
  loaded?: LiveSession;
  /** Its tenure may last longer than the entry, and must not keep the session in memory. */
  stopWatching?: () => void;
  leases: number;
}

export interface Linger {
  readonly ms: number;
  /** How many sessions may stay without a lease. Beyond that, the one that was left first is unloaded. */
  readonly sessions: number;
}

/** Long enough for a phone in a tunnel. */
const usualLinger: Linger = { ms: 120_000, sessions: 200 };

export interface LiveSessionsOptions {
  readonly load: (session: Session) => Promise<LiveSession>;
  readonly beforeUnload: () => Promise<void>;
  readonly unloaded: (live: LiveSession) => void;
  /** Whether a session's events are only in memory. */
  readonly lingers: (session: Session) => boolean;
  readonly linger?: Linger | undefined;
  readonly timers: Timers;
}

export class LiveSessions {
  readonly #options: LiveSessionsOptions;
  readonly #entries = new Map<SessionId, Entry>();
  /** Functions that cancel the unloading of a session. */
  readonly #lingering = new Map<SessionId, () => void>();

  constructor(options: LiveSessionsOptions) {
    this.#options = options;
  }

  async acquire(session: Session): Promise<Lease> {
    const { id } = session;
    const entry = this.#entries.get(id) ?? this.#add(session);
    const release = this.#lease(session, entry);
    try {
      return { live: await entry.live, release };
    } catch (error) {
      if (this.#entries.get(id) === entry) this.#entries.delete(id);
      release();
      throw error;
    }
  }

  /** The session if it is in memory. Doesn't load it. */
  async peek(id: SessionId): Promise<LiveSession | undefined> {
    return this.#entries.get(id)?.live;
  }

  loaded(): readonly LiveSession[] {
    return [...this.#entries.values()].flatMap(({ loaded }) => loaded ?? []);
  }

  /** Includes sessions that are being loaded, unless that fails. */
  async all(): Promise<readonly LiveSession[]> {
    const settled = await Promise.allSettled([...this.#entries.values()].map((entry) => entry.live));
    return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  /** The session is deleted and can no longer be found here. */
  async forget(id: SessionId): Promise<void> {
    this.#stopLingering(id);
    const entry = this.#entries.get(id);
    if (entry) this.#remove(id, entry, await entry.live);
  }

  close(): void {
    for (const id of this.#lingering.keys()) this.#stopLingering(id);
  }

  #add(session: Session): Entry {
    const entry: Entry = { live: this.#options.load(session), leases: 0 };
    this.#entries.set(session.id, entry);
    void entry.live.then(
      (live) => this.#loaded(session, entry, live),
      () => undefined,
    );
    return entry;
  }

  /** Runs before the callers get the session, so that prompts that were waiting come first. */
  #loaded(session: Session, entry: Entry, live: LiveSession): void {
    entry.loaded = live;
    const lost = () => this.#lost(session.id, entry, live);
    if (live.tenure.isOver) return lost();
    entry.stopWatching = live.tenure.onOver(lost);
    const work = live.resume();
    if (!work) return;
    const release = this.#lease(session, entry);
    void work.finally(release);
  }

  /** Those who hold a lease keep it until they are done; the next caller loads it again. */
  #lost(id: SessionId, entry: Entry, live: LiveSession): void {
    live.lose();
    if (this.#entries.get(id) === entry) this.#remove(id, entry, live);
  }

  #remove(id: SessionId, entry: Entry, live: LiveSession): void {
    this.#stopLingering(id);
    entry.stopWatching?.();
    this.#entries.delete(id);
    this.#options.unloaded(live);
  }

  #lease(session: Session, entry: Entry): () => void {
    const { id } = session;
    entry.leases += 1;
    this.#stopLingering(id);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      entry.leases -= 1;
      if (entry.leases === 0 && this.#entries.get(id) === entry) this.#left(session, entry);
    };
  }

  #left(session: Session, entry: Entry): void {
    const { lingers, linger = usualLinger, timers } = this.#options;
    const unload = () => {
      this.#stopLingering(session.id);
      void this.#unload(session.id, entry);
    };
    if (!lingers(session)) return unload();
    this.#lingering.set(session.id, timers.after(linger.ms, unload));
    const [oldest] = this.#lingering.keys();
    const overdue = oldest !== undefined && this.#lingering.size > linger.sessions ? oldest : undefined;
    if (overdue === undefined) return;
    this.#stopLingering(overdue);
    const other = this.#entries.get(overdue);
    if (other) void this.#unload(overdue, other);
  }

  #stopLingering(id: SessionId): void {
    this.#lingering.get(id)?.();
    this.#lingering.delete(id);
  }

  /** Waits until all its events are stored. Otherwise, the next load would use some numbers again. */
  async #unload(id: SessionId, entry: Entry): Promise<void> {
    try {
      await this.#options.beforeUnload();
      const live = await entry.live;
      if (entry.leases > 0 || this.#entries.get(id) !== entry) return;
      this.#remove(id, entry, live);
    } catch {
      // It stays in memory until its next lease ends.
    }
  }
}
