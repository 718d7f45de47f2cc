// What a conversation shows at one moment.
import type { Seq, Session, SessionDetails, SessionLevel } from '@parley/protocol';
import type { ApiError } from './http.ts';
import type { SentPrompt } from './outbox.ts';
import type { ConnectionState, Presence } from './transport.ts';
import { type ConversationView, emptyView } from './view.ts';

export interface ConversationSnapshot {
  /** `failed`: it could not be opened, or is gone. `error` says why; `reopen` tries again. */
  readonly status: 'opening' | 'open' | 'failed';
  readonly error: ApiError | undefined;
  /** The session is open and cannot do its work, for example because its program does not start. */
  readonly problem: ApiError | undefined;
  readonly session: Session | undefined;
  /** What this person may do with it, once it is open. */
  readonly access: SessionLevel | undefined;
  /** What only `claude-code` sessions have, as it was when the conversation was opened. */
  readonly code: SessionDetails['code'];
  readonly view: ConversationView;
  /** Prompts sent from here that the view does not show yet, oldest first. */
  readonly sent: readonly SentPrompt[];
  readonly connection: ConnectionState;
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  /** Events up to this number had happened before the conversation was opened here. */
  readonly openedAt: Seq;
  /** Goes up when everything was discarded and read again from the server. */
  readonly generation: number;
  /** The pages that show this session, once the server has reported them. */
  readonly presence: Presence | undefined;
}

/** Before the server has answered. */
export const unopened: Omit<ConversationSnapshot, 'connection'> = {
  status: 'opening',
  error: undefined,
  problem: undefined,
  session: undefined,
  access: undefined,
  code: undefined,
  view: emptyView,
  sent: [],
  hasOlder: false,
  isLoadingOlder: false,
  openedAt: 0,
  generation: 0,
  presence: undefined,
};
