// One conversation: what it shows, kept in step with the server, and what a person can do in it.
import type { Decision, Seq, Session, SessionId, TurnId } from '@parley/protocol';
import type { ApiError } from './http.ts';
import type { CodeDetail, PromptContent, SessionSettings } from './sessions.ts';
import type { ConversationView } from './view.ts';

export interface ConversationSnapshot {
  /** `failed`: it could not be opened, or is gone; `error` says why and `reopen` tries again. */
  readonly status: 'opening' | 'open' | 'failed';
  readonly error: ApiError | undefined;
  readonly session: Session | undefined;
  /** What `claude-code` sessions have beside it, as it was when the conversation was opened. */
  readonly code: CodeDetail | undefined;
  readonly view: ConversationView;
  /** Prompts sent from here that are not part of the view yet, oldest first. */
  readonly outbox: readonly OutgoingPrompt[];
  readonly connection: ConnectionState;
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  /** Events up to this number had happened before the conversation was opened here. */
  readonly openedAt: Seq;
  /** Goes up when everything shown was thrown away and read again from the server. */
  readonly generation: number;
  /** The pages that show this session, once the server has said. */
  readonly presence: { readonly pages: number; readonly visible: number } | undefined;
}

export type ConnectionState = 'connecting' | 'open' | 'lost';

/** A prompt on its way to the server. */
export interface OutgoingPrompt extends PromptContent {
  readonly key: string;
  readonly steer: boolean;
  /** `waiting`: goes out when the connection is back. `failed`: retry or discard it. */
  readonly state: 'sending' | 'sent' | 'waiting' | 'failed';
  /** Known once the server has taken it; a prompt that steers the running turn has none. */
  readonly turnId: TurnId | undefined;
  readonly error: ApiError | undefined;
}

export interface Conversation {
  readonly id: SessionId;
  /** Both fit React's useSyncExternalStore, also without their object. */
  readonly snapshot: () => ConversationSnapshot;
  readonly subscribe: (listener: () => void) => () => void;
  /** Opens it and keeps it in step until every user has called the function that this returns. */
  use(): () => void;
  /** After a failure. */
  reopen(): void;
  loadOlder(): Promise<void>;
  /** What a subagent said before the conversation was opened here. Fetched once. */
  loadSubagent(call: string): Promise<void>;
  /** Shows it in the outbox at once and sends it. */
  prompt(content: PromptContent, options?: { readonly steer?: boolean }): void;
  retry(key: string): void;
  /** Takes a prompt out of the outbox, for example to edit it. */
  discard(key: string): OutgoingPrompt | undefined;
  interrupt(): Promise<boolean>;
  withdraw(turnId: TurnId): Promise<void>;
  reorder(order: readonly TurnId[]): Promise<void>;
  decide(permissionId: string, decision: Decision): Promise<void>;
  configure(settings: SessionSettings): Promise<void>;
  rename(title: string): Promise<void>;
}
