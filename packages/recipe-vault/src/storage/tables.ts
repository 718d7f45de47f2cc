// The only table, as Kysely sees it, and its migrations. Kysely only writes the SQL: the connection runs it
// synchronously, so that no transaction ever waits.
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { RecipeError } from '../errors.ts';
import type { Connection } from './connection.ts';

export interface RecipeRow {
  id: string;
  title: string;
  /** The normalized title; no two recipes share one. */
  title_key: string;
  description: string;
  prep_time_minutes: number | null;
  cook_time_minutes: number | null;
  servings: number | null;
  difficulty: string | null;
  created_at: string;
  updated_at: string;
  /** Lists are always read and written whole, so each is stored as JSON. */
  ingredients: string;
  steps: string;
}

export const query = new Kysely<{ recipes: RecipeRow }>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Marks the file as a recipe vault ("RCPV"), so that we do not touch the database of another program. */
const applicationId = 0x52435056;

/** A released migration never changes; add a new one instead. */
const migrations: readonly string[] = [
  `CREATE TABLE recipes (
    id TEXT NOT NULL PRIMARY KEY,
    title TEXT NOT NULL,
    title_key TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    prep_time_minutes INTEGER,
    cook_time_minutes INTEGER,
    servings INTEGER,
    difficulty TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    ingredients TEXT NOT NULL,
    steps TEXT NOT NULL
  ) STRICT`,
];

/** Runs all missing migrations, or none if one fails. */
export function migrate(connection: Connection): void {
  // Writes nothing if there is nothing to do, so that recipes can be read on a full disk.
  const version = () => connection.number('SELECT user_version FROM pragma_user_version');
  const owner = connection.number('SELECT application_id FROM pragma_application_id');
  if (owner === applicationId && version() === migrations.length) return;
  // Under the write lock: if two processes start at once, one migrates and the other finds it done.
  connection.transaction(() => {
    checkOwnership(connection);
    const current = version();
    if (current > migrations.length) {
      throw new RecipeError(
        'unavailable',
        `The recipe database ${connection.file} was written by a newer version. Update this program.`,
      );
    }
    for (const sql of migrations.slice(current)) connection.exec(sql);
    connection.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
  });
}

function checkOwnership(connection: Connection): void {
  if (connection.number('SELECT application_id FROM pragma_application_id') === applicationId) return;
  if (connection.number('SELECT count(*) FROM sqlite_schema') === 0) return;
  throw new RecipeError(
    'unavailable',
    `The database ${connection.file} belongs to another program. Use another file.`,
  );
}
