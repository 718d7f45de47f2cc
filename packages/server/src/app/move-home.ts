// Moves a home from SQLite to PostgreSQL: copies every row, compares both sides row by row, and only then lets servers use
// the database. Can be interrupted at any point and continued. The home itself stays as it is.
import { stat } from 'node:fs/promises';
import { ParleyError } from '@parley/protocol';
import { openedParts } from '../basics/opened-parts.ts';
import { pathExists } from '../basics/path-exists.ts';
import { databaseFile, machineFile, recipesFile, sessionMapFile } from '../config/files.ts';
import type { Config } from '../config/schema.ts';
import { readSessionMap } from '../doors/bots/core/session-map.ts';
import { type MoveProgress, type MoveTarget, openMoveTarget } from '../stores/postgres/moving.ts';
import {
  chatsTable,
  type Key,
  keyOf,
  type Row,
  recipesTable,
  type TableReader,
} from '../stores/sql/moving.ts';
import { lockFolder } from '../stores/sqlite/folder-lock.ts';
import { openHomeTables, openTables } from '../stores/sqlite/moving.ts';
import { machineName } from './machine-name.ts';
import { moveFiles } from './move-files.ts';

type MovedHome = Pick<Config, 'dataDir' | 'sessionStorePath'>;

export interface MoveOptions {
  readonly home: MovedHome;
  readonly url: string;
  /** The key for LinkedIn logins in the database; undefined without a cluster secret. */
  readonly sealingKey?: Buffer | undefined;
  /** Stops after the current rows. The move can be continued later. */
  readonly signal: AbortSignal;
  readonly onProgress: (step: MoveStep) => void;
}

export interface MoveStep {
  readonly doing: 'copying' | 'comparing';
  readonly table: string;
  readonly done: number;
  readonly of: number;
}

export interface MoveResult {
  /** False if the home was moved before. Then nothing was done. */
  readonly isNew: boolean;
  readonly rows: number;
  readonly tables: number;
  /** Claude Code sessions, which stay on this machine. */
  readonly pinned: number;
  /** Entries of the chat map that cannot be read. They stay in its file. */
  readonly unreadableChats: number;
  /** People whose LinkedIn logins stay in files. */
  readonly leftLogins: readonly string[];
  /** The database, and the server that it is on. */
  readonly to: { readonly database: string; readonly server: string };
}

const maxDifferences = 10;

export async function moveHome({
  home,
  url,
  sealingKey,
  signal,
  onProgress,
}: MoveOptions): Promise<MoveResult> {
  if (!(await pathExists(databaseFile(home))))
    throw new ParleyError(
      'not_found',
      `There is no SQLite database in ${home.dataDir}. Choose the home with --home.`,
    );
  const { opened, close } = openedParts();
  try {
    opened(await lockFolder(home.dataDir).catch(explainConflict(home)));
    const { tables, unreadableChats } = opened(await openHome(home));
    const target = opened(await openMoveTarget(url));
    const begun = await target.begin(await fingerprint(home));
    const rows = tables.reduce((sum, { count }) => sum + count, 0);
    const result = { rows, tables: tables.length, unreadableChats, to: target.place };
    if (begun === 'moved') return { ...result, isNew: false, pinned: 0, leftLogins: [] };
    await copy(tables, target, begun === 'start' ? undefined : begun, { signal, onProgress });
    await compare(tables, target, { signal, onProgress });
    const { leftLogins } = await moveFiles(home, target.filesWith(sealingKey));
    const { pinned } = await target.finish(await machineName(machineFile(home)));
    return { ...result, isNew: true, pinned, leftLogins };
  } finally {
    await close();
  }
}

type Watched = Pick<MoveOptions, 'signal' | 'onProgress'>;

async function copy(
  tables: readonly TableReader[],
  target: MoveTarget,
  from: MoveProgress | undefined,
  { signal, onProgress }: Watched,
): Promise<void> {
  const start = from ? tables.findIndex(({ name }) => name === from.table) : 0;
  for (const table of tables.slice(start)) {
    let progress = from?.table === table.name ? from : undefined;
    const report = () =>
      onProgress({ doing: 'copying', table: table.name, done: progress?.rows ?? 0, of: table.count });
    report();
    for (;;) {
      signal.throwIfAborted();
      const rows = table.after(progress?.after);
      const last = rows.at(-1);
      if (!last) break;
      progress = { table: table.name, after: keyOf(table, last), rows: (progress?.rows ?? 0) + rows.length };
      await target.add(table, rows, progress);
      report();
    }
  }
}

async function compare(
  tables: readonly TableReader[],
  target: MoveTarget,
  { signal, onProgress }: Watched,
): Promise<void> {
  const differences: string[] = [];
  for (const table of tables) {
    let after: Key | undefined;
    for (let done = 0; ; ) {
      signal.throwIfAborted();
      onProgress({ doing: 'comparing', table: table.name, done, of: table.count });
      const rows = table.after(after);
      const last = rows.at(-1);
      if (!last) break;
      // Asks for one more row than expected, to notice extra ones.
      const found = await target.between(table, after, keyOf(table, last), rows.length + 1);
      differences.push(...differencesOf(table, rows, found));
      if (differences.length >= maxDifferences) throw isDifferent(differences, target);
      after = keyOf(table, last);
      done += rows.length;
    }
    const more = await target.countAfter(table, after);
    if (more > 0) differences.push(`${table.name} has ${more} more rows than the home`);
  }
  if (differences.length > 0) throw isDifferent(differences, target);
}

function differencesOf(
  table: TableReader,
  expected: readonly Row[],
  found: readonly Row[],
): readonly string[] {
  const keyText = (row: Row) => JSON.stringify(keyOf(table, row));
  const named = (row: Row) => [table.name, ...keyOf(table, row)].join(' ');
  const byKey = new Map(found.map((row) => [keyText(row), row]));
  const wrong = expected.flatMap((row) => {
    const other = byKey.get(keyText(row));
    byKey.delete(keyText(row));
    if (!other) return [`${named(row)} is missing`];
    const columns = table.columns.filter((column) => row[column] !== other[column]);
    return columns.length === 0 ? [] : [`${named(row)} differs in ${columns.join(', ')}`];
  });
  return [...wrong, ...[...byKey.values()].map((row) => `${named(row)} is not in the home`)];
}

interface OpenHome {
  readonly tables: readonly TableReader[];
  readonly unreadableChats: number;
  close(): Promise<void>;
}

async function openHome(home: MovedHome): Promise<OpenHome> {
  const chats = await openChats(sessionMapFile(home));
  const own = openHomeTables(databaseFile(home));
  const hasRecipes = await pathExists(recipesFile(home));
  try {
    const recipes = hasRecipes ? openTables(recipesFile(home), [recipesTable]) : undefined;
    return {
      tables: [...own.tables, ...(recipes?.tables ?? []), chats.table],
      unreadableChats: chats.unreadable,
      async close() {
        own.close();
        recipes?.close();
      },
    };
  } catch (thrown) {
    own.close();
    throw thrown;
  }
}

/** Reads the file as a whole, as a server does. It is small. */
async function openChats(
  file: string,
): Promise<{ readonly table: TableReader; readonly unreadable: number }> {
  const map = await readSessionMap(file).catch((cause: unknown) => {
    throw new ParleyError(
      'invalid',
      `The file ${file} cannot be read. Repair it or move it away, and try again.`,
      {
        cause,
      },
    );
  });
  const rows = [...map.records]
    .map(([chat, { sessionId, updatedAt }]) => ({ chat, session_id: sessionId, updated_at: updatedAt }))
    .sort((one, other) => Buffer.compare(Buffer.from(one.chat), Buffer.from(other.chat)));
  const table: TableReader = {
    ...chatsTable,
    columns: ['chat', 'session_id', 'updated_at'],
    count: rows.length,
    after: (key) => rows.slice(key ? rows.findIndex(({ chat }) => chat === key[0]) + 1 : 0),
  };
  return { table, unreadable: map.unreadable.size };
}

/** Changes when a server or another program changes the home. */
async function fingerprint(home: MovedHome): Promise<string> {
  const databases = [databaseFile(home), recipesFile(home)];
  const files = [...databases, ...databases.map((file) => `${file}-wal`), sessionMapFile(home)];
  const states = await Promise.all(
    files.map((file) =>
      stat(file).then(
        // Opening a database may create an empty write-ahead log.
        ({ size, mtimeMs }) => (size === 0 ? '' : `${size} ${mtimeMs}`),
        () => '',
      ),
    ),
  );
  return states.join(', ');
}

function explainConflict({ dataDir }: MovedHome): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ParleyError) || error.code !== 'conflict') throw error;
    throw new ParleyError(
      'conflict',
      `A server is using ${dataDir}. Stop it first, so that nothing changes while the data moves.`,
    );
  };
}

function isDifferent(differences: readonly string[], { place }: MoveTarget): ParleyError {
  const shown = differences.slice(0, maxDifferences).map((one) => `\n  ${one}`);
  return new ParleyError(
    'conflict',
    `The database “${place.database}” at ${place.server} does not have the same data as the home:${shown.join('')}\nSomething else changed it. Create an empty database, and move to that one. The home is unchanged.`,
  );
}
