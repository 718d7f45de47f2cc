// The port of the store: sessions, turns, messages and kept events. One conformance suite runs over every store.
import type { Envelope, Message, PersonName, Seq, Session, SessionId, Turn, TurnId } from '@parley/protocol';

export interface Admission {
  /** The turn that carries the key: the given one, or an earlier one with the same person and key. */
  readonly turn: Turn;
  readonly session: Session;
  /** False when the key was admitted before; nothing was written then. */
  readonly fresh: boolean;
}

export interface SessionPage {
  readonly sessions: readonly Session[];
  /** Hand it back as `cursor` for the next page; absent at the end. */
  readonly next?: string;
}

export interface RecentMessages {
  /** Of whole turns, oldest first. */
  readonly messages: readonly Message[];
  /** How many turns before them have messages too. */
  readonly olderTurns: number;
}

export interface SearchHit {
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly role: 'user' | 'assistant';
  /** The words around the hit. */
  readonly snippet: string;
}

type SessionChange = Partial<Pick<Session, 'title' | 'settings' | 'updatedAt'>>;
type TurnChange = Partial<Pick<Turn, 'status' | 'text' | 'usage' | 'error' | 'startedAt' | 'endedAt'>>;

/** Collects writes that belong together; each does what the store's method of the same name does. */
export interface UnitOfWork {
  updateSession(id: SessionId, change: SessionChange): void;
  updateTurn(id: TurnId, change: TurnChange): void;
  appendMessages(sessionId: SessionId, turnId: TurnId, messages: readonly Message[]): void;
  appendEvents(events: readonly Envelope[]): void;
}

/** Must not wait: the type rejects an async function, because a write after an `await` would miss the commit. */
export type CollectWrites = (unit: UnitOfWork) => undefined;

/**
 * Each call is atomic on its own. Writes of several calls are atomic only through `together`.
 * Calls marked **durable** resolve only when the write survives a crash of the process and of the machine.
 * Every call rejects with `ParleyError('unavailable')` when the database cannot be used.
 */
export interface Store {
  /**
   * Commits everything that `collect` adds to the unit at once: a crash or a failed write leaves all or none of it. The
   * unit closes when `collect` returns; a later write throws, and a `collect` that returns a promise writes nothing.
   * Durable.
   */
  together(collect: CollectWrites): Promise<void>;

  getSession(id: SessionId): Promise<Session | undefined>;
  /** Newest first by `updatedAt`. */
  listSessions(person: PersonName, options: { limit: number; cursor?: string }): Promise<SessionPage>;
  /** Changes only the given fields. False when there is no such session. */
  updateSession(id: SessionId, change: SessionChange): Promise<boolean>;
  /** Removes the session with its turns, messages and events. False when there was none. Durable. */
  deleteSession(id: SessionId): Promise<boolean>;

  /**
   * Keeps a turn that waits or starts at once, and its session when that is new, in one step; idempotent by
   * (person, key). Durable. Rejects with `not_found` when the session is neither given as new nor there.
   */
  admit(turn: Turn, session: Session, options: { newSession: boolean }): Promise<Admission>;
  /** What was admitted with this key, as `admit` would give it back. Durable by then. */
  findAdmission(person: PersonName, key: string): Promise<Admission | undefined>;
  /** Creates a session that has no turn yet. Durable. */
  createSession(session: Session): Promise<void>;
  getTurn(id: TurnId): Promise<Turn | undefined>;
  /** In queue order, oldest first. `last` limits to the newest so many. */
  listTurns(
    sessionId: SessionId,
    options?: { status?: readonly Turn['status'][]; last?: number },
  ): Promise<readonly Turn[]>;
  /** Changes only the given fields. Durable. */
  updateTurn(id: TurnId, change: TurnChange): Promise<void>;
  /** Gives the queued turns of a session this order; ids that are not queued are passed over. Durable. */
  reorderTurns(sessionId: SessionId, order: readonly TurnId[]): Promise<void>;
  /** Turns left `queued` or `running`, of all sessions, in queue order: what a restart has to look after. */
  unfinishedTurns(): Promise<readonly Turn[]>;

  /** Adds messages to the conversation, in order, and to the full-text index. Durable. */
  appendMessages(sessionId: SessionId, turnId: TurnId, messages: readonly Message[]): Promise<void>;
  /**
   * The messages of the newest turns. `isWanted` is shown one turn after the other, from the newest back; the first one
   * that it refuses ends the reading, so that a long conversation need not be read as a whole.
   */
  recentMessages(
    sessionId: SessionId,
    isWanted: (turn: readonly Message[]) => boolean,
  ): Promise<RecentMessages>;
  /** Full-text search over a person's messages, best first. Any text is a valid query. */
  search(person: PersonName, query: string, limit: number): Promise<readonly SearchHit[]>;

  /** Keeps events; within a session their numbers ascend from call to call. Survives a crash of the process. */
  appendEvents(events: readonly Envelope[]): Promise<void>;
  /** Kept events with `seq > after`, ascending, at most about `limit`. */
  eventsAfter(sessionId: SessionId, after: Seq, limit: number): Promise<readonly Envelope[]>;
  /** The number of the last kept event, 0 when there is none. */
  lastSeq(sessionId: SessionId): Promise<Seq>;
  /** Forgets events with `seq <= upTo`. */
  pruneEvents(sessionId: SessionId, upTo: Seq): Promise<void>;

  close(): Promise<void>;
}
