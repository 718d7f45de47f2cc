// The port that keeps what was read from transcripts, so that a restart reads only what changed. What is in a
// record is known to the engine alone.
export interface TranscriptCache {
  /** All kept records, in any order. */
  load(): Promise<readonly unknown[]>;
  /** Keeps each record in place of what was kept of the same file. Losing it costs time, nothing else. */
  save(records: readonly { readonly file: string; readonly record: unknown }[]): Promise<void>;
  remove(files: readonly string[]): Promise<void>;
}
