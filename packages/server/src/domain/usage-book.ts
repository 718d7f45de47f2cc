// The port of the usage book: what every turn used and cost. It outlives the sessions, so that deleting one does
// not hide what it cost.
import type { EngineName, PersonName, SessionId, Usage } from '@parley/protocol';

export interface UsageEntry {
  readonly at: number;
  readonly person: PersonName;
  readonly sessionId: SessionId;
  readonly engine: EngineName;
  readonly door: string;
  /** Empty where the engine named none. */
  readonly model: string;
  readonly usage: Usage;
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
  /** Empty for a session that is gone. */
  readonly title: string;
  readonly turns: number;
  readonly usage: Usage;
}

export interface UsageBook {
  record(entry: UsageEntry): Promise<void>;
  /** Sums by day, person, model and engine, oldest day first. */
  byDay(since: number): Promise<readonly UsageLine[]>;
  /** The person's dearest sessions first. */
  bySession(person: PersonName, since: number, limit: number): Promise<readonly SessionUsage[]>;
}
