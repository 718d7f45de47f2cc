// The port for what Parley itself stores about Claude Code sessions. The sessions are in the program's transcripts.
import type { ClaudeCodeSession, PersonName, SessionId } from '@parley/protocol';

export interface CodeSessionStore {
  /** Each session that was created or opened in Parley. */
  known(): Promise<ReadonlyMap<SessionId, KnownCodeSession>>;
  /** The person's sessions without any message, newest first. The program does not know them yet. */
  unstarted(person: PersonName, limit: number): Promise<readonly ClaudeCodeSession[]>;
  readonly transcripts: TranscriptCache;
}

export interface KnownCodeSession {
  readonly person: PersonName;
  /** False for a session that Parley found in the program's folder. */
  readonly isStartedHere: boolean;
  /** Another version of it was used later. */
  readonly isHidden: boolean;
  /** About to be deleted. */
  readonly isRemoved: boolean;
}

/**
 * Stores what was read from transcripts, so that a restart reads only what changed. Only the engine knows what a record
 * contains; losing one only costs time.
 */
export interface TranscriptCache {
  /** All stored records, in any order. */
  load(): Promise<readonly unknown[]>;
  /** Replaces the stored record of each file. */
  save(records: readonly { readonly file: string; readonly record: unknown }[]): Promise<void>;
  remove(files: readonly string[]): Promise<void>;
}
