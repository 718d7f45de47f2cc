// Fills PostgreSQL with many sessions in a minute or two: the store writes some of them, and the database copies these
// until there are enough. Each copy has its own ids and times.
import { runSql } from '@parley/stand-ins/postgres';
import { postgresDialect } from '../../src/stores/postgres/dialect.ts';
import { openPostgresStore } from '../../src/stores/postgres/store.ts';
import { messagesPerSession, writeSessions } from './grown-home.ts';

/** How many sessions the store writes itself. */
const maxWritten = 1_000;
const tables = ['sessions', 'turns', 'messages', 'passages', 'event_batches'] as const;

export async function growDatabase(url: string, messages: number): Promise<void> {
  const sessions = Math.ceil(messages / messagesPerSession);
  const written = Math.min(sessions, maxWritten);
  const store = await openPostgresStore({ url });
  await writeSessions(store.database, postgresDialect, written);
  await store.close();
  const copies = Math.ceil(sessions / written) - 1;
  if (copies > 0) await runSql(url, copying(copies));
  await runSql(url, 'VACUUM ANALYZE');
}

/** Copies in one transaction, without checks, triggers and indexes while rows are added, as a restore does. */
function copying(copies: number): string {
  const listed = tables.map((table) => `'${table}'`).join(', ');
  return `
    SET session_replication_role = replica;
    SET work_mem = '512MB';
    SET maintenance_work_mem = '512MB';
    CREATE TEMP TABLE indexes ON COMMIT DROP AS
      SELECT indexname, indexdef FROM pg_indexes
      WHERE tablename IN (${listed}) AND indexdef NOT LIKE 'CREATE UNIQUE%';
    DO $$ DECLARE one RECORD; BEGIN
      FOR one IN SELECT * FROM indexes LOOP EXECUTE 'DROP INDEX ' || one.indexname; END LOOP;
    END $$;
    INSERT INTO stored_bytes SELECT person, sum(bytes) * ${copies} FROM stored_bytes GROUP BY person;
    ${tables.map((table) => copyingOf(table, copies)).join('')}
    SELECT setval('turn_positions', max(position)) FROM turns;
    DO $$ DECLARE one RECORD; BEGIN
      FOR one IN SELECT * FROM indexes LOOP EXECUTE one.indexdef; END LOOP;
    END $$;`;
}

/** Each copy has its number at the start of all ids. The session with the rare word is not copied. */
const ofCopy = (id: string) => `lpad(to_hex(copy), 8, '0') || substr(${id}, 9)`;
const title = `'"Conversation 0"'`;
const alone = `(SELECT id FROM sessions WHERE title = ${title})`;
const apartMs = 60_000;

function copyingOf(table: (typeof tables)[number], copies: number): string {
  const all = `generate_series(1, ${copies}) AS copy`;
  const earlier = (column: string) => `${column} - copy * ${apartMs}`;
  switch (table) {
    case 'sessions':
      return `
        INSERT INTO sessions (id, person, engine, assistant, created_at, updated_at, title, settings)
        SELECT ${ofCopy('id')}, person, engine, assistant, ${earlier('created_at')}, ${earlier('updated_at')}, title, settings
        FROM ${all}, sessions WHERE title <> ${title} ORDER BY copy, sessions.id;`;
    case 'turns':
      return `
        INSERT INTO turns (id, session_id, person, key, door, status, position, after_seq, queued_at, started_at, ended_at,
          usage, text, prompt)
        SELECT ${ofCopy('id')}, ${ofCopy('session_id')}, person, '"' || ${ofCopy('id')} || '"', door, status,
          position + copy * (SELECT max(position) FROM turns), after_seq, ${earlier('queued_at')}, ${earlier('started_at')},
          ${earlier('ended_at')}, usage, text, prompt
        FROM ${all}, turns WHERE session_id <> ${alone} ORDER BY copy, turns.position;`;
    case 'messages':
      return `
        INSERT INTO messages (session_id, turn_id, role, content)
        SELECT ${ofCopy('session_id')}, ${ofCopy('turn_id')}, role, content
        FROM ${all}, messages WHERE session_id <> ${alone} ORDER BY copy, messages.id;`;
    case 'passages':
      return `
        INSERT INTO passages (turn_id, person, role, text, words)
        SELECT ${ofCopy('turn_id')}, passages.person, role, passages.text, words
        FROM ${all}, passages JOIN turns ON turns.id = turn_id
        WHERE session_id <> ${alone} ORDER BY copy, passages.id;`;
    case 'event_batches':
      return `
        INSERT INTO event_batches (session_id, first_seq, last_seq, events)
        SELECT ${ofCopy('session_id')}, first_seq, last_seq,
          regexp_replace(events, '"turnId":"[0-9a-f]{8}', '"turnId":"' || lpad(to_hex(copy), 8, '0'), 'g')
        FROM ${all}, event_batches WHERE session_id <> ${alone} ORDER BY copy, session_id, last_seq;`;
    default:
      return table satisfies never;
  }
}
