// Databases as earlier versions of Parley wrote them, with rows in every table. They are kept as files, so that a change
// of a released migration can't go unnoticed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import Database from 'libsql';
import { openConnection } from '../../../src/stores/sqlite/connection.ts';
import { migrate, migrations } from '../../../src/stores/sqlite/migrations.ts';

export const kept = {
  session: '11111111-1111-4111-8111-111111111111',
  turn: '22222222-2222-4222-8222-222222222222',
  person: 'anna',
  word: 'Zimtschnecken',
} as const;

type Row = Readonly<Record<string, string | number | null>>;

/** The versions of which there is a file. */
export function keptSchemas(): readonly number[] {
  return readdirSync(import.meta.dirname)
    .flatMap((name) => /^schema-(\d+)\.db\.gz$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}

export function unpackSchema(version: number, file: string): void {
  writeFileSync(file, gunzipSync(readFileSync(fileOf(version))));
}

/** Writes the files that are missing. */
export async function keepSchemas(folder: string): Promise<void> {
  for (const { version } of migrations) {
    if (existsSync(fileOf(version))) continue;
    const file = join(folder, `${version}.db`);
    const connection = openConnection({ file });
    await migrate(connection, migrations.slice(0, version));
    await connection.close();
    fill(file);
    writeFileSync(fileOf(version), gzipSync(readFileSync(file), { level: 9 }));
  }
}

function fileOf(version: number): string {
  return join(import.meta.dirname, `schema-${String(version).padStart(2, '0')}.db.gz`);
}

function fill(file: string): void {
  const db = new Database(file);
  db.exec('PRAGMA foreign_keys = OFF');
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all([]) as { name: string }[];
  for (const { name } of tables) {
    if (/^(passage_|search_|stored_|usage_(progress|days|sessions|session_days)|migrations)/.test(name))
      continue;
    const columns = db.prepare(`PRAGMA table_info(${name})`).all([]) as Column[];
    const given: Row = conversation[name] ?? {};
    const values = columns.map((column) => given[column.name] ?? valueFor(column));
    db.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`).run(values);
  }
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
}

/** What the store must be able to read. */
const conversation: Readonly<Record<string, Row>> = {
  sessions: {
    id: kept.session,
    person: kept.person,
    engine: 'messages-api',
    assistant: 'notes',
    created_at: 1_700_000_000_000.25,
    updated_at: 1_700_000_000_001,
    title: '"Buns for Sunday"',
    settings: '{}',
  },
  turns: {
    id: kept.turn,
    session_id: kept.session,
    person: kept.person,
    key: '"once"',
    door: 'http',
    status: 'completed',
    position: 1,
    after_seq: 0,
    usage: '{"inputTokens":7,"outputTokens":8,"cacheReadTokens":0,"cacheWriteTokens":0,"costUsd":0.25}',
    text: '"With cinnamon."',
    prompt: `[{"type":"text","text":"How do I bake ${kept.word}?"}]`,
    queued_at: 1_700_000_000_000,
    error: null,
    origin: null,
  },
  messages: {
    id: 1,
    session_id: kept.session,
    turn_id: kept.turn,
    role: 'user',
    content: `[{"type":"text","text":"How do I bake ${kept.word}?"}]`,
  },
  passages: { id: 1, turn_id: kept.turn, role: 'user', text: `How do I bake ${kept.word}?` },
  event_batches: { session_id: kept.session, first_seq: 1, last_seq: 1, events: '[]' },
  usage_entries: { session_id: kept.session, engine: 'messages-api', door: 'http', cost_usd: 0.25 },
  accounts: { role: 'owner', assistants: '[]', disabled_at: null },
};

function valueFor({ name, type, notnull, dflt_value: preset }: Column): string | number | null {
  if (name === 'session_id') return kept.session;
  if (name === 'person') return kept.person;
  if (preset !== null && /^\d+$/.test(preset)) return Number(preset);
  if (notnull === 0) return null;
  if (type === 'INTEGER') return name === 'id' ? 1 : 3;
  if (type === 'REAL') return 1_700_000_000_000.25;
  return name === 'record' ? '{}' : `some ${name}`;
}
