// The port for what Parley itself stores about Claude Code sessions. The sessions are in the program's transcripts.
import type { ClaudeCodeSession, PersonName, SessionId } from '@parley/protocol';

export interface CodeSessionStore {
  /** The owner of each session that was created or opened in Parley. */
  owners(): Promise<ReadonlyMap<SessionId, PersonName>>;
  /** The person's sessions without any message, newest first. The program does not know them yet. */
  unstarted(person: PersonName, limit: number): Promise<readonly ClaudeCodeSession[]>;
  readonly transcripts: TranscriptCache;
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
