// Contexts for the parts of a transcript: the conversation they belong to, the state of tool calls, and what differs
// between a chat and a Claude Code session.
import {
  type Conversation,
  type ConversationView,
  emptyView,
  type Item,
  mainThread,
  type PromptItem,
  type ToolItem,
} from '@parley/client';
import type { PersonName, SessionId, Versions } from '@parley/protocol';
import { type ComponentType, createContext, use, useMemo } from 'react';
import { useHere } from '../app/me.tsx';
import { useDisplayName } from '../app/people.ts';

/** What differs between a chat and a Claude Code session. */
export interface ConversationKind {
  /** How a tool call is shown: as a line, or as a card with everything it did. */
  readonly Tool: ComponentType<{ item: ToolItem }>;
  /** Whether the transcript shows decisions on permissions. Tool cards show them themselves. */
  readonly showsDecisions: boolean;
  /** The address of a conversation of this kind. */
  readonly path: (id: SessionId) => string;
  /** Whether a message can be sent again as it is after its answer failed. */
  readonly canRetry: boolean;
  /** Whether turns change files. Sending an edited message doesn't change them back. */
  readonly changesFiles: boolean;
  /** Whether a message can be added to the running turn. */
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

export interface ConversationControls {
  readonly conversation: Conversation;
  readonly kind: ConversationKind;
  /** Whose session it is, once that is known. */
  readonly owner: PersonName | undefined;
  /** Undefined while messages can't be sent again. */
  readonly repeat: Repeat | undefined;
  /** The versions to choose from, by the key of the message where they begin. */
  readonly versions: ReadonlyMap<string, Versions>;
  /** Puts a message that hasn't reached the server back into the composer. */
  readonly withdraw: (key: string) => void;
}

/** Starts a new version of the conversation, in which a message is replaced, or a fork. The old one stays. */
export interface Repeat {
  /** The last message. */
  readonly last: PromptItem;
  /** Whether the person may start another version with `ask` and `edit`, or a fork. */
  readonly mayBranch: boolean;
  /** Sends it again as it was. */
  readonly ask: (item: PromptItem) => void;
  /** Puts it into the composer. */
  readonly edit: (item: PromptItem) => void;
  /** Continues in a separate conversation, with everything up to this item and its answer. */
  readonly fork: (item: Item) => void;
  /** Sends the last message again in this version, replacing the failed attempt. */
  readonly retry: (() => void) | undefined;
}

export const ConversationContext = createContext<ConversationControls | undefined>(undefined);

export function useConversationControls(): ConversationControls {
  const open = use(ConversationContext);
  if (!open) throw new Error('This part belongs inside a conversation.');
  return open;
}

/** Names the author of a message; undefined for the person who reads it. Messages without an author are the owner's. */
export function useAuthor(): (author: PersonName | undefined) => string | undefined {
  const { owner } = useConversationControls();
  const { person } = useHere();
  const nameOf = useDisplayName();
  return (author = owner) => (author === undefined || author === person ? undefined : nameOf(author));
}
