// Remembers how much of each conversation people know to be left out, so that they are told once and not in
// every turn. It forgets the oldest sessions, and all with a restart: being told twice does no harm.
import type { SessionId } from '@parley/protocol';

const mostSessions = 1_000;

export class TrimNotices {
  readonly #told = new Map<SessionId, number>();

  /** Whether more turns are left out than the person was told of; from then on they were. */
  isNews(session: SessionId, leftOut: number): boolean {
    if (leftOut <= (this.#told.get(session) ?? 0)) return false;
    this.#told.delete(session);
    this.#told.set(session, leftOut);
    const [oldest] = this.#told.keys();
    if (this.#told.size > mostSessions && oldest !== undefined) this.#told.delete(oldest);
    return true;
  }
}
