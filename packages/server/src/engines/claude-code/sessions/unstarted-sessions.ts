// Sessions that the program does not know: new ones, and those whose first start failed.
import type { SessionIndex } from '@parley/claude-cli';
import type { PersonName } from '@parley/protocol';
import type { CodeSession, CodeSessionQuery } from '../../../domain/code-sessions.ts';
import { byAge } from './list-page.ts';
import type { CodeSessionsOptions } from './options.ts';
import { type Live, withoutTranscript } from './to-code-session.ts';

const mostUnstarted = 50;

/** The newest first. */
export async function unstartedSessions(
  person: PersonName,
  query: CodeSessionQuery,
  index: Pick<SessionIndex, 'get'>,
  { store, engine }: Pick<CodeSessionsOptions, 'store' | 'engine'>,
  live: Live,
): Promise<CodeSession[]> {
  const fresh = await store.codeSessions.unstarted(person, mostUnstarted);
  const known = await Promise.all(
    engine
      .known()
      .slice(0, mostUnstarted)
      .map((id) => store.getSession(id)),
  );
  const own = new Map(
    [...fresh, ...known].flatMap((stored) =>
      stored?.person === person && stored.engine === 'claude-code' ? [[stored.id, stored] as const] : [],
    ),
  );
  const sessions: CodeSession[] = [];
  for (const stored of own.values()) {
    if (await index.get(stored.id)) continue;
    const session = withoutTranscript(stored, live);
    if (isWanted(session, query)) sessions.push(session);
  }
  return sessions.sort(byAge);
}

export function isWanted(
  session: CodeSession,
  { q, workingDir, archived = false }: CodeSessionQuery,
): boolean {
  if (session.isArchived !== archived) return false;
  if (workingDir !== undefined && session.workingDir !== workingDir) return false;
  const words = (q ?? '').toLowerCase().split(/\s+/);
  return words.every((word) => session.title.toLowerCase().includes(word));
}
