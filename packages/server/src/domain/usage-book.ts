// The usage book port: what every request to a model used and cost. Entries stay when a session is deleted, so that its
// cost stays visible.
import type { EngineName, PersonName, SessionId, Usage } from '@parley/protocol';

export interface UsageEntry {
  readonly at: number;
  readonly person: PersonName;
  readonly sessionId: SessionId;
  readonly engine: EngineName;
  readonly door: string;
  /** Empty when the engine named none. */
  readonly model: string;
  readonly usage: Usage;
  /** How many turns the entry counts as. 1 if absent. */
  readonly turns?: 0 | 1;
  readonly assistant?: string;
  /** The chat of a bot. */
  readonly chat?: string | undefined;
}

export interface UsageLine {
  /** `2026-11-15`, in UTC. */
  readonly day: string;
  readonly person: PersonName;
  readonly model: string;
  readonly engine: EngineName;
  readonly turns: number;
  readonly usage: Usage;
}

export interface SessionUsage {
  readonly sessionId: SessionId;
  readonly engine: EngineName;
  /** Empty for a deleted session. */
  readonly title: string;
  readonly turns: number;
  readonly usage: Usage;
}

export interface UsageBook {
  /** Survives a crash of the process. */
  record(entry: UsageEntry): Promise<void>;
  /** Sums by day, person, model and engine, oldest day first; whole days, from the one of `since`. */
  byDay(since: number): Promise<readonly UsageLine[]>;
  /** The person's most expensive sessions first; whole days, from the one of `since`. */
  bySession(person: PersonName, since: number, limit: number): Promise<readonly SessionUsage[]>;
}
