// What a transcript shows, one item for each thing that was said or done. Items never change once they are there:
// what comes later to a tool call (its result, its subagent's messages) is kept beside it under the call's id.
import type { Frame, Json } from './read.ts';

interface Common {
  /** The same for the same thing, however it reached the page. */
  readonly key: string;
  /** ISO 8601, where the program said when. */
  readonly at: string | undefined;
  /** Everything that this item was read from. */
  readonly raw: Frame;
}

export interface Picture {
  readonly mediaType: string;
  readonly data: string;
}

export interface PromptItem extends Common {
  readonly kind: 'prompt';
  readonly text: string;
  readonly pictures: readonly Picture[];
}

export interface TextItem extends Common {
  readonly kind: 'text';
  readonly text: string;
}

export interface ThinkingItem extends Common {
  readonly kind: 'thinking';
  readonly text: string;
}

export interface ToolItem extends Common {
  readonly kind: 'tool';
  /** The id of the call; results and subagents are found by it. */
  readonly id: string;
  readonly name: string;
  readonly input: Json;
}

/** Something the person should know: an interruption, a retry, a compaction. */
export interface NoteItem extends Common {
  readonly kind: 'note';
  readonly tone: 'plain' | 'warn' | 'danger';
  readonly text: string;
  /** More of it, such as the output of a command. */
  readonly detail: string | undefined;
}

export interface ResultItem extends Common {
  readonly kind: 'result';
  readonly isError: boolean;
  /** The cost of this turn. */
  readonly costUsd: number | undefined;
  readonly durationMs: number | undefined;
  readonly outputTokens: number | undefined;
  readonly problem: string | undefined;
}

/** A message that this version does not know. It is shown as it is. */
export interface RawItem extends Common {
  readonly kind: 'raw';
  readonly type: string;
}

export type Item = PromptItem | TextItem | ThinkingItem | ToolItem | NoteItem | ResultItem | RawItem;

export interface ToolResult {
  readonly isError: boolean;
  /** Somebody did not allow the call. */
  readonly isDenied: boolean;
  readonly text: string;
  readonly pictures: readonly Picture[];
  /** What the program says of the result beside what the model gets, such as the patch of an edit. */
  readonly details: Json;
  readonly raw: Frame;
}

/** A piece of a message that is being written. */
export interface PartialBlock {
  readonly index: number;
  readonly kind: 'text' | 'thinking' | 'tool';
  /** Text, thought, or the beginning of the tool's input as JSON. */
  readonly text: string;
  readonly tool: string | undefined;
}
