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
  parts: BranchParts,
): Promise<SessionId> {
  const { branches } = parts.store;
  const { session, shared, copied } = await copyOf(from, { before, id: parts.newId() }, engine, parts);
  const parentId = ownerOf(from.id, shared, await branches.list(from.id));
  await branches.create(session, { parentId, after: shared.at(-1) ?? null }, copied);
  return session.id;
}

/** Without `before`, the fork begins with all of the other session. */
export async function startFork(
  from: Session,
  wanted: { readonly before: TurnId | undefined; readonly id: SessionId },
  engine: Engine,
  parts: BranchParts,
): Promise<Session> {
  const { session, copied } = await copyOf(from, wanted, engine, parts);
  const fork = {
    ...session,
    title: from.title && `${from.title} (fork)`,
    settings: copied ? session.settings : { ...session.settings, forkedFrom: from.id },
  };
  await parts.store.branches.create(fork, undefined, copied);
  return fork;
}

/** `copied` are the turns that the store has to copy, unless the engine has its own record. */
async function copyOf(
  from: Session,
  { before, id }: { readonly before: TurnId | undefined; readonly id: SessionId },
  engine: Engine,
  { store, clock }: BranchParts,
) {
  const isTurn = before !== undefined && (await store.getTurn(before))?.sessionId === from.id;
  const own = before === undefined ? undefined : await engine.branch?.({ from, to: id, before, isTurn });
  const turns = own ? [] : await store.branches.turnsBefore(from.id, before);
  // Its answers don't go to the chat that the other session was started for.
  const { chat: _, ...settings } = from.settings;
  const now = clock.now();
  return {
    session: { ...from, id, settings: own?.settings ?? settings, createdAt: now, updatedAt: now },
    shared: own?.shared ?? turns.map((turn) => turn.origin ?? turn.id),
    copied: own ? undefined : { from: from.id, turns: turns.map((turn) => turn.id) },
  };
}
