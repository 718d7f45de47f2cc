// Sessions of the `claude-code` engine: who owns them, which have not started, and what was read from their transcripts.
import { sql } from 'kysely';
import type { CodeSessionStore } from '../../domain/code-session-store.ts';
import { encode } from './json-column.ts';
import { query } from './schema.ts';
import { isVisible, toSession } from './sessions.ts';
import { all, type Database, run } from './work.ts';

const saveRecord = `
  INSERT INTO transcript_records (machine, file, record) VALUES (?, ?, ?)
  ON CONFLICT (machine, file) DO UPDATE SET record = excluded.record`;
const removeRecord = 'DELETE FROM transcript_records WHERE machine = ? AND file = ?';

/** Faster than reading the settings as JSON, and this runs for every page of the list. */
const startedElsewhere = sql<number>`
  CASE WHEN settings LIKE '%"startedElsewhere":true%' THEN 1 ELSE 0 END`.as('elsewhere');

/** Transcripts are files on a machine. Its name is empty if there is only one machine. */
export function createCodeSessionStore(
  database: Database,
  machine: () => Promise<string> = async () => '',
): CodeSessionStore {
  const sessions = query.selectFrom('sessions').where('engine', '=', 'claude-code');
  return {
    async known() {
      const columns = ['id', 'person', 'is_hidden', 'removed_until', startedElsewhere] as const;
      const rows = await database.read(all(sessions.select(columns)));
      return new Map(
        rows.map(({ id, person, is_hidden, removed_until, elsewhere }) => [
          id,
          {
            person,
            isStartedHere: elsewhere === 0,
            isHidden: is_hidden === 1,
            isRemoved: (removed_until ?? 0) > 0,
          },
        ]),
      );
    },

    async unstarted(person, limit) {
      const unstarted = sessions
        .selectAll()
        .where('person', '=', person)
        .where('is_hidden', '=', 0)
        .where(isVisible)
        // The end of the first turn changes `updated_at`.
        .whereRef('updated_at', '=', 'created_at')
        .orderBy('created_at', 'desc')
        .limit(limit);
      const found = (await database.read(all(unstarted))).map(toSession);
      return found.filter((session) => session.engine === 'claude-code');
    },

    transcripts: {
      async load() {
        const records = query.selectFrom('transcript_records').where('machine', '=', await machine());
        const rows = await database.read(all(records.select('record')));
        return rows.flatMap(({ record }) => parsed(record));
      },
      async save(records) {
        const name = await machine();
        await database.relaxed(function* () {
          for (const { file, record } of records) yield* run(saveRecord, [name, file, encode(record)]);
        });
      },
      async remove(files) {
        const name = await machine();
        await database.relaxed(function* () {
          for (const file of files) yield* run(removeRecord, [name, file]);
        });
      },
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
