// The gateway port: everything a door may do. Every call names who acts. Sessions that they may not see are `not_found`;
// `forbidden` means that they may see the session but not do this with it.
import type {
  ClaudeCodeSettings,
  ContextUse,
  Decision,
  Envelope,
  MessagesApiSettings,
  PendingPermission,
  PermissionId,
  Prompt,
  QueuedPrompt,
  Seq,
  Session,
  SessionId,
  Turn,
  TurnId,
} from '@parley/protocol';
import type { Actor } from './access.ts';
import type { Branch } from './branches.ts';
import type { SearchHit, SessionPage } from './store.ts';

interface NewSessionFields {
  /** Given if the engine already has the session, such as one started in a plain terminal. */
  readonly id?: SessionId;
  readonly assistant: string;
  readonly title?: string;
}

export type NewSession = NewSessionFields &
  (
    | { readonly engine: 'messages-api'; readonly settings?: Readonly<MessagesApiSettings> }
    | { readonly engine: 'claude-code'; readonly settings?: Readonly<ClaudeCodeSettings> }
  );

export interface PromptRequest {
  readonly person: Actor;
  /** An existing session, or the description of a new one. */
  readonly session: SessionId | NewSession;
  readonly prompt: Prompt;
  /** A `Door`, or the name of an additional bot. Only a label: nothing depends on it. */
  readonly door: string;
  /** False if nobody can answer a question while the turn runs, as with a client that waits for one answer. */
  readonly canAsk?: false;
  /**
   * A retry with the same key from the same person starts no second turn, except with `canAsk` false after a temporary
   * failure before any tool had run. Generated if absent.
   */
  readonly key?: string;
}

/** A prompt that replaces an earlier one. It starts a branch, and the session itself stays as it is. */
export interface BranchRequest extends Omit<PromptRequest, 'session'> {
  readonly session: SessionId;
  readonly before: TurnId;
}

export interface AdmittedPrompt {
  readonly session: Session;
  readonly turnId: TurnId;
  /** False if the key was admitted before. */
  readonly fresh: boolean;
  /** The admitted prompt; with a repeated key it may be a different one. */
  readonly prompt: Prompt;
  /** Subscribe after this number to get all events of the turn. */
  readonly after: Seq;
}

export interface SubscribeOptions {
  /** Delivers events with greater numbers; only new ones if absent. */
  readonly after?: Seq;
  readonly signal?: AbortSignal;
}

/** What a page needs before its first event. */
export interface SessionState {
  readonly session: Session;
  readonly running: TurnId | undefined;
  readonly queue: readonly QueuedPrompt[];
  /** How many turns of other sessions come before the first prompt, if it waits only for them. */
  readonly ahead: number | undefined;
  readonly permissions: readonly PendingPermission[];
  readonly lastSeq: Seq;
  /**
   * The number before the newest turn's first event, or the closest that the log still has. If the engine has its own
   * record, that record plus the events after this number are complete.
   */
  readonly turnAfter: Seq;
  /** All events after this number are in memory. */
  readonly resumableAfter: Seq;
}

export interface PastTurns {
  /** Oldest first. */
  readonly turns: readonly Turn[];
  /** Pass it back to get the previous page; absent on the first page. */
  readonly before?: TurnId;
  /** The events after this number continue where the newest page ends. */
  readonly after: Seq;
}

/** A session from one moment on: no event is lost between the state and the first event. */
export interface WatchedSession {
  readonly state: SessionState;
  /** Everything after the state, as from `subscribe`. */
  readonly events: AsyncIterable<Envelope>;
}

/** A session that matches a search, with a few of the matching passages. */
export interface FoundSession {
  readonly session: Session;
  readonly hits: readonly SearchHit[];
}

export interface Gateway {
  createSession(actor: Actor, session: NewSession): Promise<Session>;
  /** `not_found` for an unknown session and for another person's; the same applies to all calls below. */
  getSession(actor: Actor, id: SessionId): Promise<Session>;
  listSessions(
    actor: Actor,
    options: {
      readonly limit: number;
      readonly cursor?: string;
      readonly only?: readonly SessionId[];
      readonly except?: readonly SessionId[];
    },
  ): Promise<SessionPage>;
  /** Changes the given settings, including those of a running process; changes none if the engine rejects one as `invalid`. */
  configure(actor: Actor, id: SessionId, settings: Readonly<Session['settings']>): Promise<Session>;
  /** Includes all its branches, like `deleteSession`. */
  renameSession(actor: Actor, id: SessionId, title: string): Promise<Session>;
  /** Ends a running turn first. */
  deleteSession(actor: Actor, id: SessionId): Promise<void>;
  state(actor: Actor, id: SessionId): Promise<SessionState>;
  /** The finished and running turns, oldest first. */
  turns(actor: Actor, id: SessionId): Promise<readonly Turn[]>;
  /** The turns that are shown as they were stored, without their events, in pages from the newest backwards. */
  pastTurns(
    actor: Actor,
    id: SessionId,
    options: { readonly limit: number; readonly before?: TurnId },
  ): Promise<PastTurns>;
  /** What fills the context of the session's model; undefined if the engine can't say now. */
  context(actor: Actor, id: SessionId): Promise<ContextUse | undefined>;
  /** Best match first. With `among`, only these sessions count. */
  search(
    actor: Actor,
    query: string,
    limit: number,
    among?: ReadonlySet<SessionId>,
  ): Promise<readonly FoundSession[]>;

  /** Admits a prompt; resolves once it is durable. `busy` if the session's queue is full. */
  prompt(request: PromptRequest): Promise<AdmittedPrompt>;
  /** Only for the owner. Rejects like `prompt`, and with `not_found` if the session has no such prompt. */
  branch(request: BranchRequest): Promise<AdmittedPrompt>;
  /**
   * Starts a session with everything before the prompt, or with every turn that has ended; once per key. Only for the
   * owner; `not_found` if the session has no such prompt.
   */
  fork(actor: Actor, id: SessionId, before?: TurnId, key?: string): Promise<Session>;
  /** The branches of the session's family that the actor may see, in the order in which they were made. */
  branches(actor: Actor, id: SessionId): Promise<readonly Branch[]>;
  /** Prepares the session for its first prompt. */
  wake(actor: Actor, id: SessionId): Promise<void>;
  /**
   * Adds a prompt of the session's owner to the running turn, once per key. False if somebody else wrote it, no turn runs,
   * the engine cannot take it, or the key was admitted as a prompt before: call `prompt` then.
   */
  steer(actor: Actor, id: SessionId, prompt: Prompt, key?: string): Promise<boolean>;
  /** Withdraws a queued prompt. False if it is no longer queued. */
  withdraw(actor: Actor, id: SessionId, turnId: TurnId): Promise<boolean>;
  reorder(actor: Actor, id: SessionId, order: readonly TurnId[]): Promise<void>;
  /** Stops the running turn, or withdraws one that waits only for other sessions. False if there is neither. */
  interrupt(actor: Actor, id: SessionId): Promise<boolean>;
  /** Settles a permission. False if it is not open: late, repeated and other people's answers do nothing. */
  decide(actor: Actor, id: SessionId, permission: PermissionId, decision: Decision): Promise<boolean>;

  /**
   * Every event after `after`, then live ones, without gaps or duplicates. Ends when the signal aborts or the session is
   * deleted. Throws `lagged` if events after `after` are no longer available.
   */
  subscribe(actor: Actor, id: SessionId, options?: SubscribeOptions): AsyncIterable<Envelope>;
  /** Keeps the session in memory until the signal aborts, so do abort it. */
  watch(actor: Actor, id: SessionId, signal: AbortSignal): Promise<WatchedSession>;
}
