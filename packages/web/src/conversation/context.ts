// What the parts of a transcript look up: the conversation they belong to, the state of tool calls, and what differs
// between a chat and a Claude Code session.
import {
  type Conversation,
  type ConversationView,
  emptyView,
  mainThread,
  type ToolItem,
} from '@parley/client';
import { type ComponentType, createContext, use, useMemo } from 'react';

/** A chat and a Claude Code session show the same conversation in different ways. */
export interface ConversationKind {
  /** How a tool call is shown: as a line, or as a card with everything it did. */
  readonly Tool: ComponentType<{ item: ToolItem }>;
  /** Shows in the transcript who decided on a permission. Cards show it themselves. */
  readonly showsDecisions: boolean;
  /** The last message can be sent again, or edited and sent again. */
  readonly canRepeat: boolean;
  /** A message can be added to the running turn. */
  readonly canSteer: boolean;
}

/** The parts of a view that tool calls need. They change less often than the text that is being written. */
export interface ToolFacts {
  readonly tools: ConversationView['tools'];
  readonly subagents: ConversationView['subagents'];
  /** What subagents are writing. */
  readonly writing: ConversationView['writing'];
  readonly settled: ConversationView['settled'];
  /** Calls that wait for a decision. */
  readonly asked: ReadonlySet<string>;
  readonly isRunning: boolean;
  readonly workingDir: string | undefined;
}

const nothingWritten: ConversationView['writing'] = new Map();

export function useToolFacts(view: ConversationView, workingDir: string | undefined): ToolFacts {
  const { tools, subagents, settled, permissions, running } = view;
  const hasSubagentWriting = view.writing.size > (view.writing.has(mainThread) ? 1 : 0);
  const writing = hasSubagentWriting ? view.writing : nothingWritten;
  return useMemo(
    () => ({
      tools,
      subagents,
      writing,
      settled,
      asked: new Set(permissions.flatMap(({ request }) => request.toolUseId ?? [])),
      isRunning: running !== undefined,
      workingDir,
    }),
    [tools, subagents, writing, settled, permissions, running, workingDir],
  );
}

const noFacts: ToolFacts = {
  tools: emptyView.tools,
  subagents: emptyView.subagents,
  writing: nothingWritten,
  settled: emptyView.settled,
  asked: new Set(),
  isRunning: false,
  workingDir: undefined,
};

export const ToolFactsContext = createContext<ToolFacts>(noFacts);

export interface OpenConversation {
  readonly conversation: Conversation;
  readonly kind: ConversationKind;
  /** Sends the last message again, or puts it into the composer; undefined while that is not possible. */
  readonly repeat: Repeat | undefined;
}

export interface Repeat {
  /** The turn of the message. */
  readonly turnId: string | undefined;
  readonly send: () => void;
  readonly edit: () => void;
}

export const ConversationContext = createContext<OpenConversation | undefined>(undefined);

export function useOpenConversation(): OpenConversation {
  const open = use(ConversationContext);
  if (!open) throw new Error('This part belongs inside a conversation.');
  return open;
}
