// The messages between the page and the worker that highlights code.

export interface HighlightRequest {
  /** The same for all versions of a block while it is being written. */
  readonly block: number;
  readonly language: string;
  readonly code: string;
}

export interface HighlightReply {
  readonly block: number;
  /** Lines before this one are the same as in the last reply for the block. */
  readonly from: number;
  /** Empty if the language is unknown. */
  readonly lines: readonly HighlightedLine[];
}

export interface HighlightedLine {
  readonly text: string;
  readonly tokens: readonly Token[];
}

export interface Token {
  readonly text: string;
  /** CSS properties for the light and the dark theme. */
  readonly style: Readonly<Record<string, string>>;
}
