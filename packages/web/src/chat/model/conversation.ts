// A conversation as its page shows it. It is made by folding the events of a session, one by one.
import {
  addUsage,
  noUsage,
  type PermissionRequest,
  type SettleReason,
  type TurnOutcome,
  type Usage,
} from '@parley/protocol';

export interface Conversation {
  /** The number of the last event that is in here. */
  readonly seq: number;
  readonly turns: readonly TurnView[];
  /** Messages that wait for their turn, the next one first. */
  readonly queue: readonly WaitingMessage[];
  /** The recipe that was shown last. */
  readonly recipe: { readonly id: string; readonly seq: number } | undefined;
}

export interface ShownPrompt {
  readonly text: string;
  /** How many pictures came with it. */
  readonly images: number;
}

export interface WaitingMessage {
  readonly turnId: string;
  readonly prompt: ShownPrompt;
}

export interface TurnView {
  readonly id: string;
  readonly prompt: ShownPrompt;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly status: 'running' | TurnOutcome;
  /** What the assistant said and did, in its order. */
  readonly parts: readonly Part[];
  /** Parts from here on belong to the message that is being written. */
  readonly openFrom: number;
  readonly usage: Usage;
  readonly model: string | undefined;
  readonly error: TurnError | undefined;
}

interface TurnError {
  readonly message: string;
  readonly recoverable: boolean;
}

export type Part = TextPart | ThinkingPart | ToolPart | PermissionPart | RecipePart | NoticePart;

interface TextPart {
  readonly kind: 'text';
  readonly text: string;
}

interface ThinkingPart {
  readonly kind: 'thinking';
  readonly text: string;
}

export interface ToolPart {
  readonly kind: 'tool';
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly progress: string | undefined;
  readonly outcome: 'running' | 'finished' | 'failed';
  readonly result: string | undefined;
}

export interface PermissionPart {
  readonly kind: 'permission';
  readonly id: string;
  readonly request: PermissionRequest;
  readonly settled: { readonly behavior: 'allow' | 'deny'; readonly reason: SettleReason } | undefined;
}

interface RecipePart {
  readonly kind: 'recipe';
  readonly id: string;
}

interface NoticePart {
  readonly kind: 'notice';
  readonly message: string;
}

export const emptyConversation: Conversation = { seq: 0, turns: [], queue: [], recipe: undefined };

/** The turn that runs, if one does. */
export function runningTurn({ turns }: Conversation): TurnView | undefined {
  const last = turns.at(-1);
  return last?.status === 'running' ? last : undefined;
}

export function totalUsage({ turns }: Conversation): Usage {
  return turns.reduce((sum, { usage }) => addUsage(sum, usage), noUsage);
}

/** The words of an answer, without what was done on the way. */
export function answerText({ parts }: TurnView): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text.trim()] : [])).join('\n\n');
}
