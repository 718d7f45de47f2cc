// Sessions of the `claude-code` engine among all sessions: whose they are, and which have not begun.
import type { PersonName, Session, SessionId } from '@parley/protocol';
import type { Connection } from './connection.ts';
import { query } from './schema.ts';
import { toSession } from './sessions.ts';

const engine: Session['engine'] = 'claude-code';

export function codeSessionOwners(connection: Connection): ReadonlyMap<SessionId, PersonName> {
  const rows = connection.rows(
    query.selectFrom('sessions').select(['id', 'person']).where('engine', '=', engine),
  );
  return new Map(rows.map(({ id, person }) => [id, person]));
}

/** The end of a first turn moves `updated_at` on. */
export function unbegunCodeSessions(
  connection: Connection,
  person: PersonName,
  limit: number,
): readonly Session[] {
  const rows = connection.rows(
    query
      .selectFrom('sessions')
      .selectAll()
      .where('engine', '=', engine)
      .where('person', '=', person)
      .whereRef('updated_at', '=', 'created_at')
      .orderBy('created_at', 'desc')
      .limit(limit),
  );
  return rows.map(toSession);
}
