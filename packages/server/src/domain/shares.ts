// Sessions that their owners share with others. All shares are in memory, because every call to the gateway asks.
import type { PersonName, SessionId, ShareLevel } from '@parley/protocol';
import { groupBy } from '../basics/group-by.ts';
import type { SharedSessions } from './access.ts';
import type { Clock } from './clock.ts';

export interface StoredShare {
  readonly session: SessionId;
  readonly person: PersonName;
  readonly level: ShareLevel;
  readonly createdAt: number;
}

/** Every call rejects with `unavailable` when the database cannot be used; every write is durable. */
export interface ShareStore {
  list(): Promise<readonly StoredShare[]>;
  /** Replaces the level of an earlier one. */
  put(share: StoredShare): Promise<void>;
  /** False if there is no such share. */
  remove(session: SessionId, person: PersonName): Promise<boolean>;
}

export interface Shares extends SharedSessions {
  /** Reads them again. Call it at the start, and after sessions were deleted. */
  load(): Promise<void>;
  /** The oldest first. */
  of(session: SessionId): readonly StoredShare[];
  put(session: SessionId, person: PersonName, level: ShareLevel): Promise<void>;
  remove(session: SessionId, person: PersonName): Promise<boolean>;
}

export function createShares(store: ShareStore, clock: Clock): Shares {
  const listeners = new Set<() => void>();
  let bySession: ReadonlyMap<SessionId, readonly StoredShare[]> = new Map();
  let byPerson: ReadonlyMap<PersonName, readonly StoredShare[]> = new Map();

  const shares: Shares = {
    async load() {
      const all = await store.list();
      bySession = groupBy(all, ({ session }) => session);
      byPerson = groupBy(all, ({ person }) => person);
      for (const listener of listeners) listener();
    },
    of: (session) => bySession.get(session) ?? [],
    levelOf: (session, person) => shares.of(session).find((share) => share.person === person)?.level,
    sharedWith: (person) => (byPerson.get(person) ?? []).map(({ session }) => session),
    participants: (session) => shares.of(session).map(({ person }) => person),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async put(session, person, level) {
      await store.put({ session, person, level, createdAt: clock.now() });
      await shares.load();
    },
    async remove(session, person) {
      const isRemoved = await store.remove(session, person);
      await shares.load();
      return isRemoved;
    },
  };
  return shares;
}
