// What was read from transcripts, one row for each file.
import type { Connection } from './connection.ts';
import { encode } from './json-column.ts';
import { query } from './schema.ts';

/** A record that cannot be read is left out: its file is then read again. */
export function keptTranscripts(connection: Connection): readonly unknown[] {
  return connection
    .rows(query.selectFrom('transcript_records').select('record'))
    .flatMap(({ record }) => parsed(record));
}

export function keepTranscripts(
  connection: Connection,
  records: readonly { readonly file: string; readonly record: unknown }[],
): void {
  const statement = connection.prepare(
    'INSERT INTO transcript_records (file, record) VALUES (?, ?) ON CONFLICT (file) DO UPDATE SET record = excluded.record',
  );
  for (const { file, record } of records) statement.run([file, encode(record)]);
}

export function forgetTranscripts(connection: Connection, files: readonly string[]): void {
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
