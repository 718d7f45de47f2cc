// What moves when a home changes from SQLite to PostgreSQL: which tables, in which order, and how rows get from one
// side to the other.
import type { Value } from './work.ts';

export type Row = Readonly<Record<string, Value>>;

/** The values of the key columns of a row. */
export type Key = readonly Value[];

export interface MovedTable {
  readonly name: string;
  /** Rows are read and compared in the order of these columns. */
  readonly key: readonly string[];
}

/** Tables of the same name in both databases. A row comes after the rows that it refers to. */
export const movedTables: readonly MovedTable[] = [
  { name: 'sessions', key: ['id'] },
  { name: 'turns', key: ['id'] },
  { name: 'branches', key: ['id'] },
  { name: 'messages', key: ['id'] },
  { name: 'passages', key: ['id'] },
  { name: 'event_batches', key: ['session_id', 'last_seq'] },
  { name: 'transcript_records', key: ['machine', 'file'] },
  { name: 'accounts', key: ['person'] },
  { name: 'passkeys', key: ['id'] },
  { name: 'invitations', key: ['id'] },
  { name: 'api_keys', key: ['id'] },
  { name: 'logins', key: ['id'] },
  { name: 'known_browsers', key: ['id'] },
  { name: 'session_marks', key: ['person', 'session_id'] },
  { name: 'shares', key: ['session_id', 'person'] },
  { name: 'share_links', key: ['id'] },
  { name: 'push_keys', key: ['id'] },
  { name: 'push_devices', key: ['id'] },
  { name: 'push_settings', key: ['person'] },
  { name: 'audit', key: ['id'] },
  { name: 'owed_answers', key: ['id'] },
  { name: 'channel_marks', key: ['channel', 'counter'] },
  { name: 'usage_entries', key: ['id'] },
  { name: 'usage_days', key: ['day', 'person', 'model', 'engine'] },
  { name: 'usage_session_days', key: ['session_id', 'day'] },
  { name: 'usage_sessions', key: ['session_id'] },
  { name: 'budget_rules', key: ['id'] },
  { name: 'budget_warnings', key: ['key'] },
  { name: 'spending', key: ['day', 'scope', 'subject'] },
];

/** In a file of their own. */
export const recipesTable: MovedTable = { name: 'recipes', key: ['id'] };
/** In a JSON file. */
export const chatsTable: MovedTable = { name: 'chats', key: ['chat'] };

/** A table of a home, in pieces that fit into memory. */
export interface TableReader extends MovedTable {
  readonly columns: readonly string[];
  readonly count: number;
  /** The next rows after this key, in the order of the key; none at the end. */
  after(key: Key | undefined): readonly Row[];
}

export function keyOf({ key }: MovedTable, row: Row): Key {
  return key.map((column) => row[column] ?? null);
}

/** Identifiers are quoted, because `limit` is one of them. */
export function listed(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ');
}

/** Rows whose key is greater (`>`), or not greater (`<=`), as SQL with a `?` for each value. */
export function compared({ key }: MovedTable, operator: '>' | '<='): string {
  return `(${listed(key)}) ${operator} (${key.map(() => '?').join(', ')})`;
}
