// The port of those who count turns: told once for every turn, when it is over.
import type {
  EngineFailure,
  EngineName,
  PersonName,
  SessionId,
  TurnId,
  TurnOutcome,
  Usage,
} from '@parley/protocol';

export interface TurnRecord {
  readonly person: PersonName;
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly door: string;
  readonly engine: EngineName;
  readonly outcome: TurnOutcome;
  /** Why it failed, in the words that the person got. */
  readonly error?: Pick<EngineFailure, 'code' | 'message'>;
  readonly usage: Usage;
  /** The model that answered last; empty where none was named. */
  readonly model: string;
  readonly durationMs: number;
  /** From the start of the turn to the first that the model thought, said or did; absent when it did nothing. */
  readonly firstTokenMs?: number;
}

export interface TurnObserver {
  /** Must neither throw nor wait: the turn is already over for everybody else. */
  turnEnded(record: TurnRecord): void;
}
