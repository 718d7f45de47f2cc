// Checks that an actor may do with a session what a call needs. While the call runs, it holds a lease, so that the
// session stays in memory.
import type { Session, SessionId, SessionLevel } from '@parley/protocol';
import { type Access, type Actor, requireLevel } from '../domain/access.ts';
import type { Store } from '../domain/store.ts';
import type { LiveSession } from './live-session.ts';
import type { Lease, LiveSessions } from './live-sessions.ts';

export interface WatchLease extends Lease {
  /** Aborts with the reader's own signal, and when the actor may no longer see the session. */
  readonly signal: AbortSignal;
}

export class SessionGuard {
  readonly #store: Pick<Store, 'getSession'>;
  readonly #access: Access;
  readonly #sessions: LiveSessions;

  constructor(store: Pick<Store, 'getSession'>, access: Access, sessions: LiveSessions) {
    this.#store = store;
    this.#access = access;
    this.#sessions = sessions;
  }

  /** The session. Throws `not_found` or `forbidden`. */
  async require(actor: Actor, id: SessionId, needed: SessionLevel): Promise<Session> {
    return requireLevel(this.#access, actor, await this.#store.getSession(id), needed);
  }

  async use<T>(
    actor: Actor,
    id: SessionId,
    needed: SessionLevel,
    use: (live: LiveSession) => T | Promise<T>,
  ): Promise<T> {
    const lease = await this.#sessions.acquire(await this.require(actor, id, needed));
    try {
      return await use(lease.live);
    } finally {
      lease.release();
    }
  }

  async watch(actor: Actor, id: SessionId, signal: AbortSignal | undefined): Promise<WatchLease> {
    const session = await this.require(actor, id, 'read');
    const lease = await this.#sessions.acquire(session);
    const controller = new AbortController();
    const abort = () => controller.abort();
    const stopListening = this.#access.onChange(() => {
      if (this.#access.levelOf(actor, session) === undefined) abort();
    });
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    return {
      live: lease.live,
      signal: controller.signal,
      release() {
        stopListening();
        signal?.removeEventListener('abort', abort);
        lease.release();
      },
    };
  }
}
