// A transcript as the page keeps it. The main conversation and each subagent are threads of their own: a subagent's
// thread has the id of the call that started it.
import type { Item, PartialBlock, ToolResult } from './items.ts';
import type { OfferedCommand } from './offered-commands.ts';

export const mainThread = '';

/** A message that is being written in a thread. */
export interface PartialMessage {
  readonly id: string | undefined;
  readonly blocks: readonly PartialBlock[];
}

export interface Facts {
  readonly model: string | undefined;
  readonly permissionMode: string | undefined;
  readonly workingDir: string | undefined;
  readonly commands: readonly OfferedCommand[];
  /** Tokens of the last request and its answer. */
  readonly contextTokens: number | undefined;
  /** Known after the first result. */
  readonly contextWindow: number | undefined;
  /** Of the whole session, as the last result says. */
  readonly totalCostUsd: number | undefined;
}

export interface Transcript {
  readonly threads: ReadonlyMap<string, readonly Item[]>;
  readonly results: ReadonlyMap<string, ToolResult>;
  readonly partials: ReadonlyMap<string, PartialMessage>;
  /** Messages that are in already, by uuid. */
  readonly seen: ReadonlySet<string>;
  readonly facts: Facts;
}

export const emptyTranscript: Transcript = {
  threads: new Map(),
  results: new Map(),
  partials: new Map(),
  seen: new Set(),
  facts: {
    model: undefined,
    permissionMode: undefined,
    workingDir: undefined,
    commands: [],
    contextTokens: undefined,
    contextWindow: undefined,
    totalCostUsd: undefined,
  },
};

const noItems: readonly Item[] = [];
const noBlocks: readonly PartialBlock[] = [];

export function threadOf({ threads }: Transcript, thread: string): readonly Item[] {
  return threads.get(thread) ?? noItems;
}

export function partialOf({ partials }: Transcript, thread: string): readonly PartialBlock[] {
  return partials.get(thread)?.blocks ?? noBlocks;
}
