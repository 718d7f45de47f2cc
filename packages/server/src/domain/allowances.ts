// Tools that a person allowed for the rest of a session. A single server keeps them in memory until it stops. Several
// servers store them, because a session may continue on another one.
import type { SessionId } from '@parley/protocol';

export interface AllowanceStore {
  of(session: SessionId): Promise<readonly string[]>;
  /** Does nothing if the session was deleted. */
  add(session: SessionId, tool: string): Promise<void>;
}

/** The tools of one session. */
export interface Allowances {
  has(tool: string): boolean;
  add(tool: string): void;
}
