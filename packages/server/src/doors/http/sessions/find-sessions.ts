// Finds sessions by text, best match first, each with the matching passages.
import type { PersonName, Session, SessionId } from '@parley/protocol';
import type { Gateway } from '../../../domain/gateway.ts';
import type { SearchHit } from '../../../domain/store.ts';
import { isNotFound } from './send-message.ts';

export type FoundSession = Session & { readonly hits: Omit<SearchHit, 'sessionId'>[] };

/** A session can match several times, so the search asks for more hits than sessions. */
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
      const session = await gateway.getSession(person, id).catch(undefinedIfGone);
      return session ? [{ ...session, hits }] : [];
    }),
  );
  return found.flat();
}

/** It may have been deleted between search and lookup. */
function undefinedIfGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
