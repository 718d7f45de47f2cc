// The target of a home that moves here from SQLite. Each piece is added in one transaction together with the progress,
// so that an interrupted move continues exactly there. Until it is done, no server starts on this database.
import { ParleyError } from '@parley/protocol';
import type pg from 'pg';
import type { SettingsStore } from '../../domain/app-settings.ts';
import type { SealedStore } from '../../domain/sealed.ts';
import {
  chatsTable,
  compared,
  type Key,
  listed,
  type MovedTable,
  movedTables,
  type Row,
  recipesTable,
} from '../sql/moving.ts';
import { all, first, run, type Work } from '../sql/work.ts';
import { loadDriver } from './connections.ts';
import { openDatabase } from './database.ts';
import { addNumberedPassages } from './dialect.ts';
import { type DatabasePlace, placeOf } from './failures.ts';
import { migrate } from './migrations.ts';
import { prepare } from './prepare.ts';
import { createSealedStore } from './sealed.ts';
import { createSettingsStore } from './settings.ts';
import { addUpStoredBytes } from './stored-bytes.ts';

/** How far the move got: all tables before this one are complete. */
export interface MoveProgress {
  readonly table: string;
  /** The last row that was added. */
  readonly after: Key;
  readonly rows: number;
}

export interface MoveTarget {
  readonly place: DatabasePlace;
  /**
   * Starts or continues the move of this home. Returns how far it got, `start`, or `moved` if it was done before. Rejects
   * with `conflict` if the database has anything else.
   */
  begin(source: string): Promise<MoveProgress | 'start' | 'moved'>;
  add(table: MovedTable, rows: readonly Row[], progress: MoveProgress): Promise<void>;
  /** The rows after one key, up to another one. */
  between(table: ReadTable, after: Key | undefined, upTo: Key, most: number): Promise<readonly Row[]>;
  countAfter(table: MovedTable, after: Key | undefined): Promise<number>;
  /** Where the files of a home go. Without a key, there is no place for encrypted logins. */
  filesWith(key: Buffer | undefined): {
    readonly settings: SettingsStore;
    readonly sealed: SealedStore | undefined;
  };
  /** Makes the database usable. Claude Code sessions stay on the machine that has their transcripts. */
  finish(machine: string): Promise<{ readonly pinned: number }>;
  close(): Promise<void>;
}

interface ReadTable extends MovedTable {
  readonly columns: readonly string[];
}

/** Tables that number their rows themselves. */
const numbered = ['branches', 'messages', 'passages', 'owed_answers', 'usage_entries', 'audit'];
/** Not the name of any server. */
const lastOwner = 'sqlite';

export async function openMoveTarget(url: string): Promise<MoveTarget> {
  const driver = await loadDriver();
  await prepare(driver, url, migrate);
  const database = openDatabase(driver, { url });
  const place = placeOf(url);

  return {
    place,
    async begin(source) {
      const known = await database.apart(function* () {
        const before = yield* current();
        if (before) return before;
        yield* refuseOthers(place);
        yield* run('INSERT INTO moved_home (source) VALUES (?)', [source]);
        return undefined;
      });
      if (!known) return 'start';
      if (known.source !== source) throw otherHome(place);
      if (known.is_moved) return 'moved';
      return known.progress === null ? 'start' : (JSON.parse(known.progress) as MoveProgress);
    },

    add: (table, rows, progress) =>
      database.apart(function* () {
        yield* table.name === 'passages' ? addNumberedPassages(rows) : addRows(table, rows);
        yield* addUpStoredBytes();
        yield* run('UPDATE moved_home SET progress = ?', [JSON.stringify(progress)]);
      }),

    between(table, after, upTo, most) {
      const from = after ? `${compared(table, '>')} AND` : '';
      const sql = `
        SELECT ${listed(table.columns)} FROM ${table.name}
        WHERE ${from} ${compared(table, '<=')} ORDER BY ${listed(table.key)} LIMIT ?`;
      return database.read(all<Row>(sql, [...(after ?? []), ...upTo, most]));
    },

    async countAfter(table, after) {
      const where = after ? `WHERE ${compared(table, '>')}` : '';
      const sql = `SELECT count(*) AS rows FROM ${table.name} ${where}`;
      return (await database.read(first<{ rows: number }>(sql, after ?? [])))?.rows ?? 0;
    },

    filesWith: (key) => ({
      settings: createSettingsStore(database),
      sealed: key && createSealedStore(database, key),
    }),

    finish: (machine) =>
      database.apart(function* () {
        for (const table of numbered)
          yield* run(
            `SELECT setval(pg_get_serial_sequence('${table}', 'id'), max(id)) FROM ${table} HAVING max(id) > 0`,
          );
        yield* run("SELECT setval('turn_positions', max(position)) FROM turns HAVING max(position) > 0");
        const pinned = yield* run(pinToMachine, [machine]);
        yield* run('UPDATE transcript_records SET machine = ?', [machine]);
        yield* run(leaveUnfinished, [lastOwner]);
        yield* run('UPDATE moved_home SET moved_at = now(), progress = NULL');
        return { pinned };
      }),

    close: () => database.close(),
  };
}

/** A server must not use half of the data. */
export async function refuseHalfMoved(client: pg.Client, { server, database }: DatabasePlace): Promise<void> {
  const { rows } = await client.query('SELECT 1 FROM moved_home WHERE moved_at IS NULL');
  if (rows.length === 0) return;
  throw new ParleyError(
    'unavailable',
    `A home is still being moved to the database “${database}” at ${server}. Run parley migrate again on the machine with that home, and start this server when it is done.`,
  );
}

const pinToMachine = `
  INSERT INTO session_owners (session_id, epoch, machine, was_owned)
  SELECT id, nextval('epochs'), ?, false FROM sessions WHERE engine = 'claude-code'`;
/** The next owner then ends turns that were running, as after a crash. */
const leaveUnfinished = `
  INSERT INTO session_owners AS owned (session_id, server_id, epoch, was_owned)
  SELECT DISTINCT ON (session_id) session_id, ?, nextval('epochs'), true
  FROM turns WHERE status IN ('queued', 'running')
  ON CONFLICT (session_id) DO UPDATE SET server_id = excluded.server_id`;

interface MoveRow {
  readonly source: string;
  readonly progress: string | null;
  readonly is_moved: boolean;
}

function current(): Work<MoveRow | undefined> {
  return first<MoveRow>('SELECT source, progress, moved_at IS NOT NULL AS is_moved FROM moved_home');
}

function* addRows({ name }: MovedTable, rows: readonly Row[]): Work<void> {
  const columns = listed(Object.keys(rows[0] ?? {}));
  yield* run(
    `INSERT INTO ${name} (${columns})
     SELECT ${columns} FROM json_populate_recordset(CAST(NULL AS ${name}), CAST(? AS json))`,
    [JSON.stringify(rows)],
  );
}

function* refuseOthers({ server, database }: DatabasePlace): Work<void> {
  for (const { name } of [...movedTables, recipesTable, chatsTable]) {
    if (!(yield* first(`SELECT 1 AS one FROM ${name} LIMIT 1`))) continue;
    throw new ParleyError(
      'conflict',
      `The database “${database}” at ${server} already has data of another Parley (${name}). Create an empty database, and move to that one.`,
    );
  }
  if (yield* first('SELECT 1 AS one FROM servers WHERE lease_until > statement_timestamp()'))
    throw new ParleyError(
      'conflict',
      `A server is using the database “${database}” at ${server}. Stop it, wait 15 seconds, and try again.`,
    );
}

function otherHome({ server, database }: DatabasePlace): ParleyError {
  return new ParleyError(
    'conflict',
    `The database “${database}” at ${server} has data of another home, or this home was used since its move began. Create an empty database, and move to that one.`,
  );
}
