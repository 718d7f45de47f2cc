// Ports for finding out what is wrong with a server: its log, and a report for whoever helps.
import type { LogLevel, LogLevelState, PersonName, SupportReport } from '@parley/protocol';

export interface LogControl {
  levels(): LogLevelState;
  /** Overrides the settings until the server stops. Undefined goes back to them. */
  setForNow(level: LogLevel | undefined): void;
  /** The newest lines as JSON, without known secrets, the oldest first. */
  recent(): readonly string[];
}

/** Who changes the level. Empty on the command line. */
export interface LevelChanger {
  readonly person?: PersonName;
  readonly address?: string;
}

export interface Support {
  levels(): LogLevelState;
  /** Applies until the server stops; null goes back to the settings. The audit log records it. */
  changeLevel(level: LogLevel | null, by: LevelChanger): LogLevelState;
  report(): Promise<SupportReport>;
}
