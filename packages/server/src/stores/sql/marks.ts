// Each person's pins, tags and archive, and sessions that are about to be deleted.
import type { PersonName, SessionId } from '@parley/protocol';
import { sql } from 'kysely';
import { applyMarkChange, type MarkStore, type Marks, noMarks } from '../../domain/session-marks.ts';
import { decode, encode } from './json-column.ts';
import { query } from './schema.ts';
import { all, type Database, first, run, type Work } from './work.ts';

const put = `
  INSERT INTO session_marks (person, session_id, is_pinned, is_archived, tags) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (person, session_id) DO UPDATE SET
    is_pinned = excluded.is_pinned, is_archived = excluded.is_archived, tags = excluded.tags`;
// In one statement, so that no turn starts in between.
const hide = `
  UPDATE sessions SET removed_until = ?
  WHERE id = ? AND removed_until IS NULL AND NOT EXISTS (
    SELECT 1 FROM turns WHERE turns.session_id = sessions.id AND turns.status IN ('queued', 'running')
  )`;

export function createMarkStore(database: Database): MarkStore {
  return {
    async of(person) {
      const own = query.selectFrom('session_marks').selectAll().where('person', '=', person);
      const rows = await database.read(all(own));
      return new Map(rows.map((row) => [row.session_id, toMarks(row)]));
    },

    change: (person, sessions, change) =>
      database.durable(function* () {
        for (const session of sessions) {
          const marks = applyMarkChange(yield* marksOf(person, session), change);
          const { isPinned, isArchived, tags } = marks;
          if (!isPinned && !isArchived && tags.length === 0) {
            const one = query.deleteFrom('session_marks').where('person', '=', person);
            yield* run(one.where('session_id', '=', session));
          } else {
            const values = [person, session, Number(isPinned), Number(isArchived), encode(tags)];
            yield* run(put, values);
          }
        }
      }),

    remove: (session, until) =>
      database.durable(function* () {
        return (yield* run(hide, [until, session])) > 0;
      }),

    restore: (session, owner, now) =>
      database.durable(function* () {
        const back = query.updateTable('sessions').set({ removed_until: null }).where('id', '=', session);
        return (yield* run(back.where('person', '=', owner).where('removed_until', '>', now))) > 0;
      }),

    unhide: (session) =>
      database.durable(function* () {
        yield* run(query.updateTable('sessions').set({ removed_until: null }).where('id', '=', session));
      }),

    takeDue: (now) =>
      database.durable(function* () {
        const due = query.selectFrom('sessions').where('removed_until', '<=', now);
        const found = yield* all(due.select(['id', 'person', 'engine']));
        if (found.length > 0) {
          const seen = sql<number>`-abs(removed_until)`;
          yield* run(
            query.updateTable('sessions').set({ removed_until: seen }).where('removed_until', '<=', now),
          );
        }
        return found;
      }),

    async hidden() {
      const removed = query.selectFrom('sessions').select('id').where('removed_until', '>', 0);
      return new Set((await database.read(all(removed))).map(({ id }) => id));
    },
  };
}

function* marksOf(person: PersonName, session: SessionId): Work<Marks> {
  const one = query.selectFrom('session_marks').selectAll().where('person', '=', person);
  const row = yield* first(one.where('session_id', '=', session));
  return row ? toMarks(row) : noMarks;
}

function toMarks(row: { session_id: string; is_pinned: number; is_archived: number; tags: string }): Marks {
  const at = { table: 'session', id: row.session_id, column: 'tags' };
  return {
    isPinned: row.is_pinned === 1,
    isArchived: row.is_archived === 1,
    tags: decode(row.tags, at) as readonly string[],
  };
}
