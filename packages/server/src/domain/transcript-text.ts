// The port for the full-text index of Claude Code transcripts. It contains the words and where they are, not the texts.
// Losing it only costs time: the transcripts are the record.

/** A message, or a piece of a long one. */
export interface TranscriptPassage {
  /** Where its line starts in the transcript. */
  readonly offset: number;
  readonly role: 'user' | 'assistant';
  /** When it was written, in milliseconds. */
  readonly at: number;
  readonly text: string;
}

/** How far a transcript is indexed. */
export interface TranscriptMark {
  readonly file: string;
  /** Everything before this offset is indexed. */
  readonly next: number;
  /** A hash of the bytes before `next`, which shows whether the file was rewritten. */
  readonly tail: string;
  /** Characters of text that were indexed. */
  readonly chars: number;
}

/** A transcript with all words of a query in one of its messages. */
export interface TranscriptMatch {
  readonly file: string;
  /** Where the line of its newest match starts. */
  readonly offset: number;
}

export interface TranscriptText {
  marks(home: string): Promise<readonly TranscriptMark[]>;
  /** Stores both or none. The passages are in the order in which they were written. */
  add(home: string, mark: TranscriptMark, passages: readonly TranscriptPassage[]): Promise<void>;
  remove(files: readonly string[]): Promise<void>;
  /**
   * The transcripts of a home that contain all words, where the last may be only the start of one. Those with the
   * newest matches first. Has a time limit, and returns what it found by then.
   */
  find(home: string, words: readonly string[], limit: number): Promise<readonly TranscriptMatch[]>;
}
