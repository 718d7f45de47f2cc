// JSON columns. A damaged one causes an error that names its row, and affects no other call.
import { ParleyError } from '@parley/protocol';

export function encode(value: unknown): string {
  return JSON.stringify(value);
}

/** Parley wrote the column itself, so callers trust its content once it parses. */
export function decode(json: string, row: { table: string; id: string | number; column: string }): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new ParleyError(
      'internal',
      `The database is damaged: column ${row.column} of ${row.table} ${row.id} cannot be read. ` +
        'Delete that session, or restore the database from a backup.',
      { cause },
    );
  }
}
