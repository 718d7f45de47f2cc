// What a conversation shows. `fold` builds it from events. Everything is immutable, and whatever an event does not
// change keeps its identity.
import type {
  CodeModel,
  OfferedCommand,
  PendingPermission,
  PermissionRequest,
  PersonName,
  Seq,
  SettleReason,
  Todo,
  TurnId,
  TurnOutcome,
  Usage,
  WaitingPrompt,
} from '@parley/protocol';
import { noUsage } from '@parley/protocol';

export interface ConversationView {
  /** The number of the last event in this view. */
  readonly seq: Seq;
  /** The main thread, oldest first. */
  readonly items: readonly Item[];
  /** What each subagent said and did, by the tool call that runs it. */
  readonly subagents: ReadonlyMap<string, readonly Item[]>;
  /** Blocks that are being written, by thread: `mainThread`, or the tool call that runs a subagent. */
  readonly writing: ReadonlyMap<string, readonly PartialBlock[]>;
  /** How each tool call is doing, by its id. */
  readonly tools: ReadonlyMap<string, ToolState>;
  /** Prompts that wait for their turn, the next one first. */
  readonly queue: readonly WaitingPrompt[];
  /** How many turns of other sessions come before the first prompt, if it waits only for those. */
  readonly ahead: number | undefined;
  /** The turn that runs. */
  readonly running: TurnId | undefined;
  /** Permissions that nobody has decided yet. */
  readonly permissions: readonly PendingPermission[];
  /** Permissions that are no longer open, by the tool call they blocked, or else by their own id. */
  readonly settled: ReadonlyMap<string, SettledPermission>;
  readonly todos: readonly Todo[];
  /** The recipe shown last, and the event that showed it. */
  readonly recipe: { readonly id: string; readonly seq: Seq } | undefined;
  readonly facts: Facts;
  /** The sum over all turns that ended. */
  readonly usage: Usage;
  /** The uuids of the frames and the ids of the turns in this view, so that nothing is folded twice. */
  readonly seen: ReadonlySet<string>;
  /** What the fold remembers between events. Not for display. */
  readonly memory: FoldMemory;
}

export interface FoldMemory {
  /** The turn that started last. */
  readonly turn: TurnMemory | undefined;
  /** What the program reported last. A person's choice holds until the program reports something else. */
  readonly reported: Pick<Facts, 'model' | 'permissionMode'>;
  /** Turns that were in `usage` before their end was folded. */
  readonly counted: ReadonlySet<TurnId>;
  /** How many pages were put before the first one. */
  readonly pages: number;
}

export interface TurnMemory {
  readonly id: TurnId;
  readonly prompt: string;
  /** The engine has repeated the prompt as a message. */
  readonly isEchoed: boolean;
  /** Its events are frames, so everything that was written also arrives as whole messages. */
  readonly hasFrames: boolean;
  readonly hasText: boolean;
  readonly model: string | undefined;
  readonly durationMs: number | undefined;
  /** The frame that reported the usage. */
  readonly frame: string | undefined;
}

/** The thread of the conversation itself; every other thread is named by the tool call that runs its subagent. */
export const mainThread = '';

export interface SettledPermission {
  readonly behavior: 'allow' | 'deny';
  readonly reason: SettleReason;
}

export interface Facts {
  readonly model: string | undefined;
  /** The models that `claude` offers, once it has reported them. */
  readonly models: readonly CodeModel[] | undefined;
  readonly permissionMode: string | undefined;
  readonly workingDir: string | undefined;
  readonly commands: readonly OfferedCommand[];
  /** What the model read for its last answer, and the answer, in tokens. */
  readonly contextTokens: number | undefined;
  readonly contextWindow: number | undefined;
  /** Of the whole session, as `claude` counts it. */
  readonly totalCostUsd: number | undefined;
}

export interface Picture {
  readonly mediaType: string;
  /** Base64. Empty in the past of a chat: `GET /api/sessions/:id/turns/:turnId/images/:index` has the bytes. */
  readonly data: string;
}

/** A file that is or was sent with a prompt. */
export interface AttachedFile {
  readonly name: string;
  readonly mediaType: string;
  /** In bytes; undefined where only its path is known. */
  readonly size: number | undefined;
  /** Base64. Empty for a file that was sent: `GET /api/sessions/:id/turns/:turnId/files/:index` has the bytes. */
  readonly data: string;
  /** Where it is in the work folder of a `claude-code` session. */
  readonly path?: string | undefined;
}

interface ItemBase {
  /** The same for the same thing, whether it came live or from the past. */
  readonly key: string;
  /** In milliseconds since 1970; undefined where nobody recorded it. */
  readonly at: number | undefined;
  readonly turnId: TurnId | undefined;
  /** The JSON that this was read from, for "show raw". Only `claude-code` sessions have it. */
  readonly frame: string | undefined;
}

export interface PromptItem extends ItemBase {
  readonly kind: 'prompt';
  /** Its turn, or in a transcript its line: what a branch replaces. */
  readonly promptId: TurnId | undefined;
  /** Who wrote it, if it wasn't the owner of the session. */
  readonly author: PersonName | undefined;
  readonly text: string;
  readonly pictures: readonly Picture[];
  readonly files: readonly AttachedFile[];
}

interface WordsItem extends ItemBase {
  readonly text: string;
  /** The key of the block that became this item, so that a page can keep what it drew for the block. */
  readonly writtenAs?: string | undefined;
}

export interface TextItem extends WordsItem {
  readonly kind: 'text';
}

export interface ThinkingItem extends WordsItem {
  readonly kind: 'thinking';
}

/** Its state is in `tools`, and what its subagent does in `subagents`, both under `id`. */
export interface ToolItem extends ItemBase {
  readonly kind: 'tool';
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** Shown where it was asked. Whether it is still open is in `permissions`, how it was decided in `settled`. */
export interface PermissionItem extends ItemBase {
  readonly kind: 'permission';
  readonly id: string;
  readonly request: PermissionRequest;
}

export interface ArtifactItem extends ItemBase {
  readonly kind: 'artifact';
  readonly artifact: 'recipe';
  readonly id: string;
}

/** Something the person should know that isn't a failure of the turn. */
export interface NoticeItem extends ItemBase {
  readonly kind: 'notice';
  readonly code: string;
  readonly tone: 'plain' | 'warn' | 'danger';
  readonly text: string;
  /** More details, such as the output of a command. */
  readonly detail: string | undefined;
}

/** The end of a turn. */
export interface EndItem extends ItemBase {
  readonly kind: 'end';
  readonly outcome: TurnOutcome;
  readonly usage: Usage;
  /** What the turn cost; undefined where nobody knows. */
  readonly costUsd: number | undefined;
  readonly durationMs: number | undefined;
  readonly outputTokens: number | undefined;
  readonly model: string | undefined;
  readonly error: TurnFailure | undefined;
}

export interface TurnFailure {
  readonly code: string | undefined;
  readonly message: string;
  /** Whether the same prompt may work when it is sent again. */
  readonly recoverable: boolean;
}

/** A frame that this version does not know. */
export interface RawItem extends ItemBase {
  readonly kind: 'raw';
  readonly name: string;
}

export type Item =
  | PromptItem
  | TextItem
  | ThinkingItem
  | ToolItem
  | PermissionItem
  | ArtifactItem
  | NoticeItem
  | EndItem
  | RawItem;

/** A block while the model writes it. The whole message replaces it. */
export interface PartialBlock {
  /** Stays the same while the block grows. */
  readonly key: string;
  readonly kind: 'text' | 'thinking' | 'tool';
  /** Text, thought, or the start of the tool's input as JSON. */
  readonly text: string;
  readonly tool: string | undefined;
  /** The id of the tool call, where it is known. */
  readonly id: string | undefined;
}

export interface ToolState {
  readonly outcome: 'running' | 'finished' | 'failed';
  /** Somebody or a rule refused the call. */
  readonly denied: boolean;
  /** Why it was refused, if anybody said. */
  readonly reason: string | undefined;
  /** It was stopped with its turn, or before anybody decided on it. */
  readonly stopped: boolean;
  readonly progress: string | undefined;
  /** The result as the model reads it; undefined until there is one. */
  readonly text: string | undefined;
  readonly pictures: readonly Picture[];
  /** What the program reports in addition to the result, such as the patch of an edit. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The JSON that the result was read from, for "show raw". */
  readonly frame: string | undefined;
}

export const emptyView: ConversationView = {
  seq: 0,
  items: [],
  subagents: new Map(),
  writing: new Map(),
  tools: new Map(),
  queue: [],
  ahead: undefined,
  running: undefined,
  permissions: [],
  settled: new Map(),
  todos: [],
  recipe: undefined,
  facts: {
    model: undefined,
    models: undefined,
    permissionMode: undefined,
    workingDir: undefined,
    commands: [],
    contextTokens: undefined,
    contextWindow: undefined,
    totalCostUsd: undefined,
  },
  usage: noUsage,
  seen: new Set(),
  memory: {
    turn: undefined,
    reported: { model: undefined, permissionMode: undefined },
    counted: new Set(),
    pages: 0,
  },
};
