// JSON columns. A damaged one causes an error that names its row, and affects no other call.
import { ParleyError } from '@parley/protocol';

export function encode(value: unknown): string {
  return JSON.stringify(value);
}

interface Place {
  readonly table: string;
  readonly id: string | number;
  readonly column: string;
}

/** Parley wrote the column itself, so callers trust its content once it parses. */
export function decode(json: string, place: Place): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw damagedColumn(place, cause);
  }
}

export function decodeText(json: string, place: Place): string {
  return decode(json, place) as string;
}

export function decodeList(json: string, place: Place): readonly string[] {
  return decode(json, place) as readonly string[];
}

export function damagedColumn({ table, id, column }: Place, cause?: unknown): ParleyError {
  return new ParleyError(
    'internal',
    `The database is damaged: column ${column} of ${table} ${id} cannot be read. ` +
      'Delete what it belongs to, or restore the database from a backup.',
    { cause },
  );
}
