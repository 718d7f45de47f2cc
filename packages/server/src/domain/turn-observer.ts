// The port for observers of turns: called once for every turn, when it has ended.
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
  /** Why it failed, with the message that the person got. */
  readonly error?: Pick<EngineFailure, 'code' | 'message'>;
  readonly usage: Usage;
  /** The model that answered last; empty when none was named. */
  readonly model: string;
  readonly durationMs: number;
  /** From the start of the turn to the model's first output; absent when there was none. */
  readonly firstTokenMs?: number;
}

export interface TurnObserver {
  /** Must neither throw nor block. */
  turnEnded(record: TurnRecord): void;
}
