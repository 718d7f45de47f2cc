// Tools that a person allowed for the rest of a session. They live as long as the server, not longer.
import type { SessionId } from '@parley/protocol';

const mostSessions = 10_000;

export class Allowances {
  readonly #tools = new Map<SessionId, Set<string>>();

  /** The set of this session, shared: who adds to it allows from then on. */
  of(id: SessionId): Set<string> {
    const tools = this.#tools.get(id) ?? new Set();
    // Re-inserted as the newest; the oldest goes first when there are too many.
    this.#tools.delete(id);
    this.#tools.set(id, tools);
    const [oldest] = this.#tools.keys();
    if (this.#tools.size > mostSessions && oldest) this.#tools.delete(oldest);
    return tools;
  }

  forget(id: SessionId): void {
    this.#tools.delete(id);
  }
}
