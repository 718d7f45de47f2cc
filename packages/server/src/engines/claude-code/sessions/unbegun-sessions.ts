// Sessions that the program does not know: new ones, and those whose first start failed.
import type { SessionIndex } from '@parley/claude-cli';
import type { PersonName } from '@parley/protocol';
import type { CodeSession, CodeSessionQuery } from '../../../domain/code-sessions.ts';
import type { CodeSessionsOptions } from './options.ts';
import { withoutTranscript } from './to-code-session.ts';

const mostUnbegun = 50;

export interface UnbegunPage {
  readonly sessions: readonly CodeSession[];
  /** There may be more, of these or of those that have begun. Absent where the page has room left for those. */
  readonly next?: string;
}

/** They stand before all that have begun, the newest first. None where the cursor is beyond them. */
export async function unbegunPage(
  person: PersonName,
  query: CodeSessionQuery,
  index: Pick<SessionIndex, 'get'>,
  parts: Pick<CodeSessionsOptions, 'store' | 'engine'>,
): Promise<UnbegunPage> {
  if (query.cursor !== undefined && !isUnbegunCursor(query.cursor)) return { sessions: [] };
  const all = await unbegunSessions(person, query, index, parts);
  const from = query.cursor === undefined ? undefined : placeOf(query.cursor);
  const sessions = all.filter((one) => !from || compare(one, from) > 0).slice(0, query.limit);
  const last = sessions.at(-1);
  return { sessions, ...(last && sessions.length === query.limit && { next: toCursor(last) }) };
}

export function isUnbegunCursor(cursor: string): boolean {
  return cursorShape.test(cursor);
}

type Place = Pick<CodeSession, 'updatedAt' | 'id'>;

const cursorShape = /^new\.(\d{1,16})\.([0-9a-f-]{36})$/;

function toCursor({ updatedAt, id }: Place): string {
  return `new.${updatedAt}.${id}`;
}

function placeOf(cursor: string): Place {
  const [, updatedAt, id = ''] = cursorShape.exec(cursor) ?? [];
  return { updatedAt: Number(updatedAt), id };
}

/** The newest first; of two from the same moment the greater id. */
function compare(a: Place, b: Place): number {
  return b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}

async function unbegunSessions(
  person: PersonName,
  query: CodeSessionQuery,
  index: Pick<SessionIndex, 'get'>,
  { store, engine }: Pick<CodeSessionsOptions, 'store' | 'engine'>,
): Promise<CodeSession[]> {
  const fresh = await store.codeSessions.unbegun(person, mostUnbegun);
  const known = await Promise.all(
    engine
      .known()
      .slice(0, mostUnbegun)
      .map((id) => store.getSession(id)),
  );
  const own = new Map(
    [...fresh, ...known].flatMap((kept) => (kept?.person === person ? [[kept.id, kept] as const] : [])),
  );
  const sessions: CodeSession[] = [];
  for (const kept of own.values()) {
    if (await index.get(kept.id)) continue;
    const session = withoutTranscript(kept, engine);
    if (isWanted(session, query)) sessions.push(session);
  }
  return sessions.sort(compare);
}

function isWanted(session: CodeSession, { q, workingDir, archived = false }: CodeSessionQuery): boolean {
  if (session.isArchived !== archived) return false;
  if (workingDir !== undefined && session.workingDir !== workingDir) return false;
  const words = (q ?? '').toLowerCase().split(/\s+/);
  return words.every((word) => session.title.toLowerCase().includes(word));
}
