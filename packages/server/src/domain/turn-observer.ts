// The port of those who count turns: told once for every turn, when it is over.
import type { EngineName, PersonName, SessionId, TurnId, TurnOutcome, Usage } from '@parley/protocol';

export interface TurnRecord {
  readonly person: PersonName;
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly door: string;
  readonly engine: EngineName;
  readonly outcome: TurnOutcome;
  readonly usage: Usage;
  /** The model that answered last; empty where none was named. */
  readonly model: string;
  readonly durationMs: number;
  /** From the start of the turn to the engine's first event; absent when there was none. */
  readonly firstEventMs?: number;
}

export interface TurnObserver {
  /** Must neither throw nor wait: the turn is already over for everybody else. */
  turnEnded(record: TurnRecord): void;
}
