// Sessions of the `claude-code` engine: who owns them, which have not started, and what was read from their transcripts.
import type { PersonName, Session, SessionId } from '@parley/protocol';
import type { Connection } from './connection.ts';
import { encode } from './json-column.ts';
import { query } from './schema.ts';
import { toSession } from './sessions.ts';

const engine: Session['engine'] = 'claude-code';

export function codeSessionOwners(connection: Connection): ReadonlyMap<SessionId, PersonName> {
  const rows = connection.rows(
    query.selectFrom('sessions').select(['id', 'person']).where('engine', '=', engine),
  );
  return new Map(rows.map(({ id, person }) => [id, person]));
}

/** The end of the first turn changes `updated_at`. */
export function unstartedCodeSessions(
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

/** Skips a record that cannot be read; its file is then read again. */
export function loadTranscripts(connection: Connection): readonly unknown[] {
  return connection
    .rows(query.selectFrom('transcript_records').select('record'))
    .flatMap(({ record }) => parsed(record));
}

export function saveTranscripts(
  connection: Connection,
  records: readonly { readonly file: string; readonly record: unknown }[],
): void {
  const statement = connection.prepare(
    'INSERT INTO transcript_records (file, record) VALUES (?, ?) ON CONFLICT (file) DO UPDATE SET record = excluded.record',
  );
  for (const { file, record } of records) statement.run([file, encode(record)]);
}

export function removeTranscripts(connection: Connection, files: readonly string[]): void {
  const statement = connection.prepare('DELETE FROM transcript_records WHERE file = ?');
  for (const file of files) statement.run([file]);
}

function parsed(json: string): unknown[] {
  try {
    return [JSON.parse(json)];
  } catch {
    return [];
  }
}
