// What the page and its worker say to each other about the colours of code.

export interface ColourRequest {
  /** The same for all versions of one block that is being written. */
  readonly block: number;
  readonly language: string;
  readonly code: string;
}

export interface ColourReply {
  readonly block: number;
  /** Lines before this one are as they were in the last reply about the block. */
  readonly from: number;
  /** None where the language is not known. */
  readonly lines: readonly ColouredLine[];
}

export interface ColouredLine {
  readonly text: string;
  readonly tokens: readonly Token[];
}

export interface Token {
  readonly text: string;
  /** CSS properties, of the light and the dark theme at once. */
  readonly style: Readonly<Record<string, string>>;
}
