// Finds sessions by what was said in them: the person's own first, then those that others share with them.
import type { PersonName, SessionId } from '@parley/protocol';
import { groupBy } from '../basics/group-by.ts';
import { type Access, type Actor, personOf } from '../domain/access.ts';
import type { FoundSession } from '../domain/gateway.ts';
import type { Store } from '../domain/store.ts';

/** A session can match several times, so the search asks for more hits than sessions. */
const hitsPerSession = 5;

export async function searchSessions(
  { store, access }: { readonly store: Store; readonly access: Access },
  actor: Actor,
  query: string,
  limit: number,
  among?: ReadonlySet<SessionId>,
): Promise<readonly FoundSession[]> {
  const person = personOf(actor);
  const maxHits = limit * hitsPerSession;
  const found = await Promise.all([
    store.search(person, query, maxHits, among),
    ...[...(await sharedByOwner())].map(([owner, shared]) => store.search(owner, query, maxHits, shared)),
  ]);
  const bySession = groupBy(found.flat(), (hit) => hit.sessionId);
  const sessions: FoundSession[] = [];
  // One lookup per session, not per hit, because lookups block the server.
  for (const [id, hits] of bySession) {
    const session = await store.getSession(id);
    if (session && access.levelOf(actor, session) !== undefined)
      sessions.push({ session, hits: hits.slice(0, hitsPerSession) });
    if (sessions.length === limit) break;
  }
  return sessions;

  async function sharedByOwner(): Promise<Map<PersonName, Set<SessionId>>> {
    const byOwner = new Map<PersonName, Set<SessionId>>();
    for (const id of access.sharedWith(person)) {
      if (among && !among.has(id)) continue;
      const owner = (await store.getSession(id))?.person;
      if (owner !== undefined) byOwner.set(owner, (byOwner.get(owner) ?? new Set()).add(id));
    }
    return byOwner;
  }
}
