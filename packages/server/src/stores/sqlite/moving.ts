// Reads the tables of a home that moves to another database. The file is opened for reading only, in one transaction, so
// that everything is from the same moment even if another program writes to it.
import { pathToFileURL } from 'node:url';
import { ParleyError } from '@parley/protocol';
import Database from 'libsql';
import {
  compared,
  type Key,
  listed,
  type MovedTable,
  movedTables,
  type Row,
  type TableReader,
} from '../sql/moving.ts';
import type { Value } from '../sql/work.ts';
import { cannotOpen, toParleyError } from './failures.ts';
import { applicationId, migrations, single, writtenByNewer } from './migrations.ts';

export interface HomeTables {
  readonly tables: readonly TableReader[];
  close(): void;
}

/** The limits of one piece. A larger row is a piece of its own. */
const maxRows = 1_000;
const maxBytes = 4 * 1024 * 1024;

/** The tables of Parley's own file. Rejects if this version doesn't know its schema, or must bring it up to date first. */
export function openHomeTables(file: string): HomeTables {
  return openTables(file, movedTables, (db) => {
    if (single(db, 'PRAGMA application_id') !== applicationId)
      throw new ParleyError('unavailable', `The file ${file} is not a Parley database.`);
    const newest = migrations.at(-1)?.version ?? 0;
    const version = single(db, 'SELECT max(version) FROM migrations');
    if (version > newest) throw writtenByNewer(file, version, newest);
    // The sums of the usage book miss what an old version wrote until the server has added it.
    if (version < newest || single(db, 'SELECT oldest FROM usage_progress') > 1)
      throw new ParleyError(
        'conflict',
        `The database ${file} comes from an older version of Parley. Start this version with it once, wait a minute, stop it, and try again.`,
      );
  });
}

/** Tables of any file. `check` may refuse it. */
export function openTables(
  file: string,
  tables: readonly MovedTable[],
  check?: (db: Database.Database) => void,
): HomeTables {
  let db: Database.Database | undefined;
  try {
    db = new Database(`${pathToFileURL(file).href}?mode=ro`);
    db.exec('BEGIN');
    check?.(db);
    const opened = db;
    return {
      tables: tables.map((table) => reader(opened, table, file)),
      close() {
        if (opened.open) opened.close();
      },
    };
  } catch (thrown) {
    db?.close();
    throw cannotOpen(thrown, file);
  }
}

function reader(db: Database.Database, table: MovedTable, file: string): TableReader {
  const { name, key } = table;
  const own = (db.prepare(`PRAGMA table_info(${name})`).all([]) as { name: string }[]).map((one) => one.name);
  // Key columns that the table doesn't have are its row numbers.
  const hidden = key.filter((column) => !own.includes(column));
  const from = hidden.length === 0 ? name : `(SELECT rowid AS "${hidden[0]}", * FROM ${name})`;
  const columns = [...hidden, ...own];
  const size = columns.map((column) => `coalesce(octet_length("${column}"), 0)`).join(' + ');
  const query = (wanted: string, after: Key | undefined) =>
    `SELECT ${wanted} FROM ${from} ${after ? `WHERE ${compared(table, '>')}` : ''} ORDER BY ${listed(key)} LIMIT ?`;
  const ask = (sql: string, values: readonly Value[]) => {
    try {
      return db.prepare(sql).all(values);
    } catch (thrown) {
      throw toParleyError(thrown, file);
    }
  };
  return {
    ...table,
    columns,
    count: single(db, `SELECT count(*) FROM ${name}`),
    after(last) {
      const values = last ?? [];
      const sizes = ask(query(`${size} AS size`, last), [...values, maxRows]) as { size: number }[];
      const fitting = howMany(sizes.map((row) => row.size));
      if (fitting === 0) return [];
      return ask(query(listed(columns), last), [...values, fitting]) as Row[];
    },
  };
}

function howMany(sizes: readonly number[]): number {
  let bytes = 0;
  const end = sizes.findIndex((size, index) => {
    bytes += size;
    return index > 0 && bytes > maxBytes;
  });
  return end === -1 ? sizes.length : end;
}
