// Entries of the usage book that an earlier version wrote without adding them to the sums.
import type { UsageBook } from '../../domain/usage-book.ts';
import { type DaySums, dayOf, type SessionSums, sumColumns, toLine, withTitles } from '../sql/usage.ts';
import { all, type Database } from '../sql/work.ts';
import type { Step } from './background-work.ts';
import type { Connection } from './connection.ts';
import { sqliteDialect } from './dialect.ts';

const columns = sumColumns.join(', ');
const sums = sumColumns.map((column) => `sum(${column}) AS ${column}`).join(', ');
const added = sumColumns.map((column) => `${column} = ${column} + excluded.${column}`).join(', ');
/** Entries as lines of the sums. `oldest` is the first entry that the sums contain. */
const entries = `
  SELECT date(at / 1000, 'unixepoch') AS day, person, session_id, model, engine, ${columns} FROM usage_entries`;
const someEntries = `${entries} WHERE rowid BETWEEN ? AND ?`;

/** Adds the entries from one row number to another to all sums. `WHERE true` keeps the parser from reading a join. */
const add = [
  `INSERT INTO usage_days
    SELECT day, person, model, engine, ${sums} FROM (${someEntries}) WHERE true
    GROUP BY day, person, model, engine
    ON CONFLICT DO UPDATE SET ${added}`,
  `INSERT INTO usage_session_days
    SELECT session_id, day, ${sums} FROM (${someEntries}) WHERE true
    GROUP BY session_id, day
    ON CONFLICT DO UPDATE SET ${added}`,
  `INSERT INTO usage_sessions
    SELECT session_id, person, engine, sum(cost_usd), max(day) FROM (${someEntries}) WHERE true
    GROUP BY session_id
    ON CONFLICT DO UPDATE SET cost_usd = cost_usd + excluded.cost_usd, last_day = max(last_day, excluded.last_day)`,
];
const entriesPerStep = 200;

const byDay = `
  SELECT day, person, model, engine, ${sums} FROM (
    SELECT day, person, model, engine, ${columns} FROM usage_days WHERE day >= ?
    UNION ALL
    SELECT day, person, model, engine, ${columns} FROM (
      ${entries} WHERE rowid < (SELECT oldest FROM usage_progress) AND at >= ?
    )
  )
  GROUP BY day, person, model, engine ORDER BY day`;
const bySession = `
  SELECT session_id AS id, engine, ${sums} FROM (${entries} WHERE person = ? AND at >= ?)
  GROUP BY session_id ORDER BY cost_usd DESC LIMIT ?`;

/** The usage book, which counts old entries itself until `addOld` has added all of them to the sums. */
export function withOldEntries(
  book: UsageBook,
  connection: Connection,
  database: Database,
): { readonly book: UsageBook; readonly addOld: Step } {
  const oldest = () =>
    (connection.prepare('SELECT oldest FROM usage_progress').all([]) as [{ oldest: number }])[0].oldest;
  return {
    book: {
      ...book,
      async byDay(since) {
        if (oldest() <= 1) return book.byDay(since);
        return (await database.readLong(all<DaySums>(byDay, [dayOf(since), since]))).map(toLine);
      },
      async bySession(person, since, limit) {
        if (oldest() <= 1) return book.bySession(person, since, limit);
        const found = await database.readLong(all<SessionSums>(bySession, [person, since, limit]));
        return database.read(withTitles(sqliteDialect, found));
      },
    },
    addOld: () =>
      connection.write(() => {
        const end = oldest();
        if (end <= 1) return false;
        const start = Math.max(1, end - entriesPerStep);
        for (const statement of add) connection.prepare(statement).run([start, end - 1]);
        connection.prepare('UPDATE usage_progress SET oldest = ?').run([start]);
        return true;
      }),
  };
}
