// How people organize their sessions: their own pins, tags and archive, and deleting with an undo.
import type { PersonName, SessionId } from '@parley/protocol';
import type { Actor } from './access.ts';

export interface Marks {
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  /** Sorted. */
  readonly tags: readonly string[];
}

export const noMarks: Marks = { isPinned: false, isArchived: false, tags: [] };

export interface MarkChange {
  readonly isPinned?: boolean | undefined;
  readonly isArchived?: boolean | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

const maxTags = 10;

export function applyMarkChange(marks: Marks, change: MarkChange): Marks {
  const removed = new Set(change.removeTags);
  const tags = [...marks.tags.filter((tag) => !removed.has(tag)), ...(change.addTags ?? [])];
  return {
    isPinned: change.isPinned ?? marks.isPinned,
    isArchived: change.isArchived ?? marks.isArchived,
    tags: [...new Set(tags)].toSorted().slice(0, maxTags),
  };
}

/** Every write is durable. */
export interface MarkStore {
  /** Sessions without a mark are missing. */
  of(person: PersonName): Promise<ReadonlyMap<SessionId, Marks>>;
  change(person: PersonName, sessions: readonly SessionId[], change: MarkChange): Promise<void>;

  /**
   * Hides a session from every call until it is restored or deleted. False, and nothing changes, if there is no such
   * session or one of its turns runs or waits.
   */
  remove(session: SessionId, until: number): Promise<boolean>;
  /** False if it can no longer be restored, or belongs to somebody else. */
  restore(session: SessionId, owner: PersonName, now: number): Promise<boolean>;
  /** Undoes a `remove`. */
  unhide(session: SessionId): Promise<void>;
  /** Sessions whose time is up. They become visible again, so that they can be deleted, but can't be restored. */
  takeDue(
    now: number,
  ): Promise<readonly { readonly id: SessionId; readonly person: PersonName; readonly engine: string }[]>;
  hidden(): Promise<ReadonlySet<SessionId>>;
}

/** Which sessions a list shows. */
export interface MarkFilter {
  readonly pinned?: boolean | undefined;
  readonly archived?: boolean | undefined;
  readonly tag?: string | undefined;
}

/** The options of `listSessions` for a filter: only these sessions, or all but these. */
export function toListOptions(marks: ReadonlyMap<SessionId, Marks>, filter: MarkFilter) {
  const ids = (isWanted: (marks: Marks) => boolean) =>
    [...marks].flatMap(([id, one]) => (isWanted(one) ? [id] : []));
  const { pinned, tag, archived = false } = filter;
  if (!pinned && tag === undefined && !archived) return { except: ids(({ isArchived }) => isArchived) };
  return {
    only: ids(
      (one) =>
        (!pinned || one.isPinned) &&
        (tag === undefined || one.tags.includes(tag)) &&
        // Pins and tags also find archived sessions.
        (!archived || one.isArchived),
    ),
  };
}

export interface RemovedSessions {
  readonly removed: readonly SessionId[];
  /** Not removed, because a turn runs or waits. */
  readonly busy: readonly SessionId[];
  readonly until: number;
}

export interface Organizer {
  marks(actor: Actor): Promise<ReadonlyMap<SessionId, Marks>>;
  /** `not_found` if the actor may not see one of them; nothing changes then. */
  mark(actor: Actor, sessions: readonly SessionId[], change: MarkChange): Promise<void>;
  /** Deletes sessions with all their versions, after a while in which they can be restored. Only for their owner. */
  remove(actor: Actor, sessions: readonly SessionId[]): Promise<RemovedSessions>;
  /** Returns those that were restored. */
  restore(actor: Actor, sessions: readonly SessionId[]): Promise<readonly SessionId[]>;
}
