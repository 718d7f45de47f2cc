// The gateway's port: all that a door may do. Every call names the person; what is not theirs is `not_found`.
import type {
  ClaudeCodeSettings,
  Decision,
  Envelope,
  MessagesApiSettings,
  PendingPermission,
  PermissionId,
  PersonName,
  Prompt,
  QueuedPrompt,
  Seq,
  Session,
  SessionId,
  Turn,
  TurnId,
} from '@parley/protocol';
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
  readonly person: PersonName;
  /** An existing session, or what a new one shall be. */
  readonly session: SessionId | NewSession;
  readonly prompt: Prompt;
  /** A label for metrics and the usage book. */
  readonly door: string;
  /** False if nobody can answer a question while the turn runs, as for a client that waits for one answer. */
  readonly canAsk?: false;
  /** The same key from the same person never starts a second turn. One is made up when absent. */
  readonly key?: string;
}

export interface AdmittedPrompt {
  readonly session: Session;
  readonly turnId: TurnId;
  /** False when the key had been admitted before. */
  readonly fresh: boolean;
  /** What was admitted, which with such a key may be another prompt. */
  readonly prompt: Prompt;
  /** Subscribe after this number to see all of the turn. */
  readonly after: Seq;
}

export interface SubscribeOptions {
  /** Events with greater numbers are delivered; absent means from now on. */
  readonly after?: Seq;
  readonly signal?: AbortSignal;
}

/** What a page needs before its first event. */
export interface SessionState {
  readonly session: Session;
  readonly running: TurnId | undefined;
  readonly queue: readonly QueuedPrompt[];
  readonly permissions: readonly PendingPermission[];
  readonly lastSeq: Seq;
  /**
   * The number before the newest turn's first event, or as close to it as the log still reaches. Where the engine has
   * a record of its own, that record and the events after this number together are complete.
   */
  readonly turnAfter: Seq;
  /** Events after this number and after later ones are in memory. */
  readonly resumableAfter: Seq;
}

export interface PastTurns {
  /** Oldest first. */
  readonly turns: readonly Turn[];
  /** Pass it back for the page before this one; absent at the start. */
  readonly before?: TurnId;
  /** The events after this number continue where the newest page ends. */
  readonly after: Seq;
}

/** A session from one moment on: nothing falls between the state and the first event. */
export interface WatchedSession {
  readonly state: SessionState;
  /** All that happens after the state; reads as `subscribe` does. */
  readonly events: AsyncIterable<Envelope>;
}

export interface Gateway {
  createSession(person: PersonName, session: NewSession): Promise<Session>;
  /** `not_found` for an unknown session and for one of another person alike; so for all calls below. */
  getSession(person: PersonName, id: SessionId): Promise<Session>;
  listSessions(person: PersonName, options: { limit: number; cursor?: string }): Promise<SessionPage>;
  /** Changes the given settings, also of what is awake. `invalid` when the engine refuses a value; nothing changes then. */
  configure(person: PersonName, id: SessionId, settings: Readonly<Session['settings']>): Promise<Session>;
  renameSession(person: PersonName, id: SessionId, title: string): Promise<Session>;
  /** Ends a running turn first. */
  deleteSession(person: PersonName, id: SessionId): Promise<void>;
  state(person: PersonName, id: SessionId): Promise<SessionState>;
  /** The finished and running turns, oldest first. */
  turns(person: PersonName, id: SessionId): Promise<readonly Turn[]>;
  /** The turns from before the events that are worth reading one by one, in pages from the newest back. */
  pastTurns(
    person: PersonName,
    id: SessionId,
    options: { readonly limit: number; readonly before?: TurnId },
  ): Promise<PastTurns>;
  search(person: PersonName, query: string, limit: number): Promise<readonly SearchHit[]>;

  /** Admits a prompt; resolves once it is durable. `busy` when the session's queue is full. */
  prompt(request: PromptRequest): Promise<AdmittedPrompt>;
  /** Makes the session ready ahead of its first prompt. */
  wake(person: PersonName, id: SessionId): Promise<void>;
  /**
   * Hands a prompt to the running turn, with a key only once. False when none runs, the engine cannot take it, or the
   * key was admitted as a prompt before: then prompt instead.
   */
  steer(person: PersonName, id: SessionId, prompt: Prompt, key?: string): Promise<boolean>;
  /** Takes a waiting prompt back. False when it is not waiting any more. */
  withdraw(person: PersonName, id: SessionId, turnId: TurnId): Promise<boolean>;
  reorder(person: PersonName, id: SessionId, order: readonly TurnId[]): Promise<void>;
  /** Stops the running turn, or takes back the one that only turns of other sessions hold up. False without either. */
  interrupt(person: PersonName, id: SessionId): Promise<boolean>;
  /** Settles a permission. False when it is not open (any more): late, repeated and foreign answers do nothing. */
  decide(person: PersonName, id: SessionId, permission: PermissionId, decision: Decision): Promise<boolean>;

  /**
   * Every event after `after`, then live ones, with no gap and no double. Ends when the signal aborts or the
   * session is deleted. Throws `lagged` when events after `after` are no longer to be had.
   */
  subscribe(person: PersonName, id: SessionId, options?: SubscribeOptions): AsyncIterable<Envelope>;
  /** The session stays in memory until the signal aborts, so abort it. */
  watch(person: PersonName, id: SessionId, signal: AbortSignal): Promise<WatchedSession>;
}
