// Remembers how much of each conversation people know to be left out, so that they are told once and not in every
// turn; being told twice does no harm.
import type { SessionId } from '@parley/protocol';
import { BoundedMap } from '../../basics/bounded-map.ts';

const mostSessions = 1_000;

export class TrimNotices {
  readonly #told = new BoundedMap<SessionId, number>(mostSessions);

  /** Whether more turns are left out than the person was told of; from then on they were. */
  isNews(session: SessionId, leftOut: number): boolean {
    if (leftOut <= (this.#told.get(session) ?? 0)) return false;
    this.#told.set(session, leftOut);
    return true;
  }
}
