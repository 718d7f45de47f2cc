// Starts a session that begins with everything before one prompt of another session: a branch, which is another version of
// it, or a fork, which is a session of its own.
import type { Session, SessionId, TurnId } from '@parley/protocol';
import type { BranchStore } from '../domain/branch-store.ts';
import { ownerOf } from '../domain/branches.ts';
import type { Clock, NewId } from '../domain/clock.ts';
import type { Engine } from '../domain/engine.ts';
import type { Store } from '../domain/store.ts';

export interface BranchParts {
  readonly store: Pick<Store, 'getTurn'> & { readonly branches: BranchStore };
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The session that it starts from stays as it is. */
export async function startBranch(
  from: Session,
  before: TurnId,
  engine: Engine,
  { store, clock, newId }: BranchParts,
): Promise<SessionId> {
  const { branches } = store;
  const id = newId();
  const isTurn = (await store.getTurn(before))?.sessionId === from.id;
  const own = await engine.branch?.({ from, to: id, before, isTurn });
  const copied = own ? undefined : await branches.turnsBefore(from.id, before);
  const shared = own?.shared ?? copied?.map((turn) => turn.origin ?? turn.id) ?? [];
  const now = clock.now();
  // Its answers don't go to the chat that the other session was started for.
  const { chat: _, ...settings } = from.settings;
  await branches.create(
    { ...from, id, settings: own?.settings ?? settings, createdAt: now, updatedAt: now },
    {
      parentId: ownerOf(from.id, shared, await branches.list(from.id)),
      after: shared.at(-1) ?? null,
    },
    copied && { from: from.id, turns: copied.map((turn) => turn.id) },
  );
  return id;
}

/** Without `before`, the fork begins with all of the other session. */
export async function startFork(
  from: Session,
  before: TurnId | undefined,
  engine: Engine,
  { store, clock, newId }: BranchParts,
): Promise<Session> {
  const id = newId();
  const isTurn = before !== undefined && (await store.getTurn(before))?.sessionId === from.id;
  const own = before === undefined ? undefined : await engine.branch?.({ from, to: id, before, isTurn });
  const copied = own ? undefined : await store.branches.turnsBefore(from.id, before);
  const { chat: _, ...settings } = from.settings;
  const now = clock.now();
  const fork = {
    ...from,
    id,
    title: `${from.title} (fork)`,
    settings: own ? { ...own.settings, forkedFrom: from.id } : settings,
    createdAt: now,
    updatedAt: now,
  };
  await store.branches.create(
    fork,
    undefined,
    copied && { from: from.id, turns: copied.map((turn) => turn.id) },
  );
  return fork;
}
