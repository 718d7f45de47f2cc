// Branches: sessions that begin like another one and then continue in a different way, because a prompt was edited or
// asked again. Pure.
import type { SessionId, Turn, TurnId, Versions } from '@parley/protocol';

export interface Branch {
  readonly sessionId: SessionId;
  /** The session whose prompt this one replaced: the one that the prompt was sent to, not one that inherited it. */
  readonly parentId: SessionId;
  /** The last prompt that both have, under its first id; null if they differ from the first prompt on. */
  readonly after: TurnId | null;
}

/** Which session the prompt after `shared` was sent to. `viewed` shows it, but may only have inherited it. */
export function ownerOf(
  viewed: SessionId,
  shared: readonly TurnId[],
  branches: readonly Branch[],
): SessionId {
  const branch = branches.find(({ sessionId }) => sessionId === viewed);
  if (!branch || branch.after === null || shared.includes(branch.after)) return viewed;
  return ownerOf(branch.parentId, shared, branches);
}

/** The sessions that belong together. The first is the one that all others come from. */
export function familyOf(id: SessionId, branches: readonly Branch[]): readonly SessionId[] {
  return [...new Set([...branches.flatMap(({ parentId, sessionId }) => [parentId, sessionId]), id])];
}

/**
 * The points from which the session has several versions. `turns` are those of an engine that copies them for a branch;
 * other engines give a prompt the same id in every session.
 */
export function versionsOf(
  id: SessionId,
  branches: readonly Branch[],
  turns: readonly Turn[],
): readonly Versions[] {
  const ownIds = new Map(turns.map((turn) => [turn.origin ?? turn.id, turn.id]));
  const groups = new Map<TurnId | null, Set<SessionId>>();
  for (const { after, parentId, sessionId } of branches) {
    const group = groups.get(after) ?? new Set();
    groups.set(after, group.add(parentId).add(sessionId));
  }
  return [...groups].map(([after, group]) => {
    const sessions = [...group];
    return {
      after: after === null ? null : (ownIds.get(after) ?? after),
      sessions,
      current: currentOf(id, sessions, branches),
    };
  });
}

/** A session that is not a version itself shows the one that it comes from. */
function currentOf(id: SessionId, sessions: readonly SessionId[], branches: readonly Branch[]): number {
  const at = sessions.indexOf(id);
  const parent = branches.find(({ sessionId }) => sessionId === id)?.parentId;
  return at >= 0 || parent === undefined ? at : currentOf(parent, sessions, branches);
}
