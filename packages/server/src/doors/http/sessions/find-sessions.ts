// Sessions whose words match: the best first, each with the places where it does.
import type { PersonName, Session, SessionId } from '@parley/protocol';
import type { Gateway } from '../../../domain/gateway.ts';
import type { SearchHit } from '../../../domain/store.ts';
import { isNotFound } from './send-message.ts';

export interface FoundSession extends Session {
  readonly hits: Omit<SearchHit, 'sessionId'>[];
}

/** A session may match in several places, so more places than sessions are looked at. */
const hitsPerSession = 5;

export async function findSessions(
  gateway: Gateway,
  person: PersonName,
  query: string,
  limit: number,
): Promise<FoundSession[]> {
  const bySession = new Map<SessionId, FoundSession['hits']>();
  for (const { sessionId, ...hit } of await gateway.search(person, query, limit * hitsPerSession)) {
    const hits = bySession.get(sessionId) ?? [];
    if (hits.length < hitsPerSession) bySession.set(sessionId, [...hits, hit]);
  }
  const best = [...bySession].slice(0, limit);
  const found = await Promise.all(
    best.map(async ([id, hits]) => {
      const session = await gateway.getSession(person, id).catch(nothingWhenGone);
      return session ? [{ ...session, hits }] : [];
    }),
  );
  return found.flat();
}

/** Deleted between the search and the look-up. */
function nothingWhenGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
