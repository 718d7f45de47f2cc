// The port of what Parley itself keeps of Claude Code sessions. The sessions are in the program's transcripts.
import type { PersonName, Session, SessionId } from '@parley/protocol';

export interface CodeSessionStore {
  /** Whose each session is, of all that were made or opened in Parley. */
  owners(): Promise<ReadonlyMap<SessionId, PersonName>>;
  /** Sessions of a person in which nothing was said yet, newest first: the program knows nothing of them. */
  unbegun(person: PersonName, limit: number): Promise<readonly Session[]>;
  readonly transcripts: TranscriptCache;
}

/**
 * Keeps what was read from transcripts, so that a restart reads only what changed. What is in a record is known to
 * the engine alone; losing one costs time, nothing else.
 */
export interface TranscriptCache {
  /** All kept records, in any order. */
  load(): Promise<readonly unknown[]>;
  /** Keeps each record in place of what was kept of the same file. */
  save(records: readonly { readonly file: string; readonly record: unknown }[]): Promise<void>;
  remove(files: readonly string[]): Promise<void>;
}
