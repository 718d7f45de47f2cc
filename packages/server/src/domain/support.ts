// Ports for finding out what is wrong with a server: its log, and a report for somebody who helps.
import type { LogLevel, LogLevelState, PersonName, SupportReport } from '@parley/protocol';

export interface LogControl {
  levels(): LogLevelState;
  /** Counts until the server stops, whatever the settings say. Undefined goes back to them. */
  setForNow(level: LogLevel | undefined): void;
  /** The newest lines as JSON, without known secrets, the oldest first. */
  recent(): readonly string[];
}

/** Who changes the level; nobody in particular on the command line. */
export interface LevelChanger {
  readonly person?: PersonName;
  readonly address?: string;
}

export interface Support {
  levels(): LogLevelState;
  /** Until the server stops; null goes back to what the settings say. It is recorded in the audit log. */
  changeLevel(level: LogLevel | null, by: LevelChanger): LogLevelState;
  report(): Promise<SupportReport>;
}
