// Sessions of which the engine remembers something for a while. It forgets the oldest, and all with a restart: what
// is forgotten is found out again.
import type { SessionId } from '@parley/protocol';

const mostSessions = 1_000;

export class RecentSessions<Memory> {
  readonly #sessions = new Map<SessionId, Memory>();

  get(session: SessionId): Memory | undefined {
    return this.#sessions.get(session);
  }

  set(session: SessionId, memory: Memory): void {
    this.#sessions.delete(session);
    this.#sessions.set(session, memory);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > mostSessions && oldest !== undefined) this.#sessions.delete(oldest);
  }
}
