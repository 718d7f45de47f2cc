// Sessions of the `claude-code` engine: who owns them, which have not started, and what was read from their transcripts.
import { sql } from 'kysely';
import type { CodeSessionStore } from '../../domain/code-session-store.ts';
import type { Connection, Writes } from './connection.ts';
import { encode } from './json-column.ts';
import { query } from './schema.ts';
import { toSession } from './sessions.ts';

const saveRecord =
  'INSERT INTO transcript_records (file, record) VALUES (?, ?) ON CONFLICT (file) DO UPDATE SET record = excluded.record';
const removeRecord = 'DELETE FROM transcript_records WHERE file = ?';

/** Faster than reading the settings as JSON, and this runs for every page of the list. */
const startedElsewhere = sql<number>`instr(settings, '"startedElsewhere":true')`.as('elsewhere');

export function createCodeSessionStore(connection: Connection, { relaxed }: Writes): CodeSessionStore {
  const sessions = query.selectFrom('sessions').where('engine', '=', 'claude-code');
  return {
    async known() {
      const rows = connection.rows(sessions.select(['id', 'person', 'is_hidden', startedElsewhere]));
      return new Map(
        rows.map(({ id, person, is_hidden, elsewhere }) => [
          id,
          { person, isStartedHere: !elsewhere, isHidden: is_hidden === 1 },
        ]),
      );
    },

    async unstarted(person, limit) {
      const unstarted = sessions
        .selectAll()
        .where('person', '=', person)
        .where('is_hidden', '=', 0)
        // The end of the first turn changes `updated_at`.
        .whereRef('updated_at', '=', 'created_at')
        .orderBy('created_at', 'desc')
        .limit(limit);
      const found = connection.rows(unstarted).map(toSession);
      return found.filter((session) => session.engine === 'claude-code');
    },

    transcripts: {
      async load() {
        const rows = connection.rows(query.selectFrom('transcript_records').select('record'));
        return rows.flatMap(({ record }) => parsed(record));
      },
      save: (records) =>
        relaxed(() => {
          const statement = connection.prepare(saveRecord);
          for (const { file, record } of records) statement.run([file, encode(record)]);
        }),
      remove: (files) =>
        relaxed(() => {
          const statement = connection.prepare(removeRecord);
          for (const file of files) statement.run([file]);
        }),
    },
  };
}

/** Skips a record that cannot be read; its file is then read again. */
function parsed(json: string): unknown[] {
  try {
    return [JSON.parse(json)];
  } catch {
    return [];
  }
}
