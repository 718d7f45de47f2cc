// The store port: sessions, turns, messages and stored events. Every store passes one conformance suite.
import type { Envelope, Message, PersonName, Seq, Session, SessionId, Turn, TurnId } from '@parley/protocol';
import type { TurnEnd } from './replaced-turns.ts';

export interface Admission {
  /** The turn that carries the key: the given one, or an earlier one with the same person and key. */
  readonly turn: Turn;
  readonly session: Session;
  /** False when the key was admitted before; nothing was written then. */
  readonly fresh: boolean;
}

export interface SessionPage {
  readonly sessions: readonly Session[];
  /** Pass it as `cursor` to get the next page; absent on the last page. */
  readonly next?: string;
}

export interface SessionListing {
  readonly limit: number;
  readonly cursor?: string;
  /** Sessions of other people to list, too. */
  readonly also?: readonly SessionId[];
  /** If given, lists only these sessions. */
  readonly only?: readonly SessionId[];
  readonly except?: readonly SessionId[];
  /** If given, lists only sessions of these assistants, where `claude-code` means that engine. */
  readonly assistants?: readonly string[];
}

export interface SpokenTurn {
  readonly messages: readonly Message[];
  readonly end: TurnEnd;
}

export interface RecentMessages {
  /** Oldest first, each with all of its messages. */
  readonly turns: readonly SpokenTurn[];
  /** How many earlier turns have messages. */
  readonly olderTurns: number;
}

export interface SearchHit {
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  readonly role: 'user' | 'assistant';
  /** The text around the hit. */
  readonly snippet: string;
}

export type SessionChange = Partial<Pick<Session, 'title' | 'settings' | 'updatedAt'>>;
export type TurnChange = Partial<
  Pick<Turn, 'key' | 'status' | 'text' | 'usage' | 'error' | 'startedAt' | 'endedAt'>
>;

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
  /**
   * The person's sessions, and others in `also`, newest first by `updatedAt`. Of the branches of one session, lists
   * only the one that was used last.
   */
  listSessions(person: PersonName, options: SessionListing): Promise<SessionPage>;
  /** Changes only the given fields. False when there is no such session. */
  updateSession(id: SessionId, change: SessionChange): Promise<boolean>;
  /** Removes the session with its turns, messages and events. False when there is no such session. Durable. */
  deleteSession(id: SessionId): Promise<boolean>;

  /**
   * Stores a turn that waits or starts at once, together with its session if that is new; idempotent by (person, key).
   * Durable. Rejects with `not_found` when the session is not new and does not exist.
   */
  admit(turn: Turn, session: Session, options: { newSession: boolean }): Promise<Admission>;
  /** What was admitted with this key, as `admit` would return it. Durable when it resolves. */
  findAdmission(person: PersonName, key: string): Promise<Admission | undefined>;
  /** Creates a session that has no turn yet. Durable. */
  createSession(session: Session): Promise<void>;
  getTurn(id: TurnId): Promise<Turn | undefined>;
  /** In queue order, oldest first. `last` returns only that many of the newest. */
  listTurns(
    sessionId: SessionId,
    options?: { status?: readonly Turn['status'][]; last?: number },
  ): Promise<readonly Turn[]>;
  /** Changes only the given fields. Durable. */
  updateTurn(id: TurnId, change: TurnChange): Promise<void>;
  /** Puts the queued turns of a session into this order; ids that are not queued are ignored. Durable. */
  reorderTurns(sessionId: SessionId, order: readonly TurnId[]): Promise<void>;
  /** Turns of all sessions that are still `queued` or `running`, in queue order: what a restart has to resume. */
  unfinishedTurns(): Promise<readonly Turn[]>;

  /** Adds messages to the session, in order, and to the full-text index. Durable. */
  appendMessages(sessionId: SessionId, turnId: TurnId, messages: readonly Message[]): Promise<void>;
  /**
   * The messages of the newest turns. Calls `isWanted` with one turn after the other, newest first, and stops at the
   * first one that it rejects, so that a long session doesn't have to be read completely.
   */
  recentMessages(
    sessionId: SessionId,
    isWanted: (turn: readonly Message[]) => boolean,
  ): Promise<RecentMessages>;
  /**
   * Full-text search over a person's messages: those with all words first, then those where the last word is only the
   * start of one; the newest first. Any text is a valid query. Has a time limit, and returns what it found by then.
   */
  search(
    person: PersonName,
    query: string,
    limit: number,
    /** If given, searches only these sessions. */
    among?: ReadonlySet<SessionId>,
  ): Promise<readonly SearchHit[]>;

  /** Stores events; within a session, their numbers ascend from call to call. Survives a crash of the process. */
  appendEvents(events: readonly Envelope[]): Promise<void>;
  /** Stored events with `seq > after`, ascending, at most `limit`. */
  eventsAfter(sessionId: SessionId, after: Seq, limit: number): Promise<readonly Envelope[]>;
  /** The number of the last stored event, 0 when there is none. */
  lastSeq(sessionId: SessionId): Promise<Seq>;
  /** About how many bytes the person's prompts, messages and events take up. */
  storedBytes(person: PersonName): Promise<number>;
  /** Removes events with `seq <= upTo`; the last number stays known. */
  pruneEvents(sessionId: SessionId, upTo: Seq): Promise<void>;

  close(): Promise<void>;
}
