// One conversation: what it shows, kept in step with the server, and what a person can do in it.
import type { Decision, Seq, Session, SessionDetails, SessionId, TurnId } from '@parley/protocol';
import type { ApiError } from './http.ts';
import type { PromptContent, SessionChange } from './sessions.ts';
import type { ConversationView } from './view.ts';

export interface ConversationSnapshot {
  /** `failed`: it could not be opened, or is gone; `error` says why and `reopen` tries again. */
  readonly status: 'opening' | 'open' | 'failed';
  readonly error: ApiError | undefined;
  readonly session: Session | undefined;
  /** What `claude-code` sessions have beside it, as it was when the conversation was opened. */
  readonly code: SessionDetails['code'];
  readonly view: ConversationView;
  /** Prompts sent from here that are not part of the view yet, oldest first. */
  readonly sent: readonly SentPrompt[];
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
export interface SentPrompt extends PromptContent {
  readonly key: string;
  readonly steer: boolean;
  /** Known once the server has taken it; a prompt that steers the running turn has none. */
  readonly turnId: TurnId | undefined;
  /** With the code `offline` it goes out by itself when the connection is back; otherwise retry or discard it. */
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
  /** Shows it in `sent` at once and sends it, also while nobody uses the conversation. */
  send(content: PromptContent, options?: { readonly steer?: boolean }): void;
  retry(key: string): void;
  /** Takes a prompt out of `sent`, for example to edit it. */
  discard(key: string): SentPrompt | undefined;
  /** Interrupts the running turn. */
  stop(): Promise<void>;
  withdraw(turnId: TurnId): Promise<void>;
  reorder(order: readonly TurnId[]): Promise<void>;
  decide(permissionId: string, decision: Decision): Promise<void>;
  configure(change: SessionChange): Promise<void>;
}
