// The usage book: one row per request to a model, which stays when its session is deleted, and sums by day and session, so
// that the cost of the overview doesn't depend on how many there were.
import { noUsage, type Usage } from '@parley/protocol';
import type { SessionUsage, UsageBook, UsageLine } from '../../domain/usage-book.ts';
import type { Step } from './background-work.ts';
import { addSpending } from './budgets.ts';
import type { Connection, Writes } from './connection.ts';
import { decode } from './json-column.ts';
import type { Reader } from './reader.ts';
import { query } from './schema.ts';

const columns = [
  'turns',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cost_usd',
];
const sumColumns = columns.map((column) => `sum(${column}) AS ${column}`).join(', ');
const addColumns = columns.map((column) => `${column} = ${column} + excluded.${column}`).join(', ');
/** Entries as lines of the sums. `oldest` is the first entry that the sums contain. */
const entries = `
  SELECT date(at / 1000, 'unixepoch') AS day, person, session_id, model, engine, turns, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, cost_usd
  FROM usage_entries`;
const notAdded = `${entries} WHERE rowid < (SELECT oldest FROM usage_progress)`;

/** Adds the entries from one row number to another to all sums. `WHERE true` keeps the parser from reading a join. */
const add = [
  `INSERT INTO usage_days
    SELECT day, person, model, engine, ${sumColumns} FROM (${entries} WHERE rowid BETWEEN ? AND ?) WHERE true
    GROUP BY day, person, model, engine
    ON CONFLICT DO UPDATE SET ${addColumns}`,
  `INSERT INTO usage_session_days
    SELECT session_id, day, ${sumColumns} FROM (${entries} WHERE rowid BETWEEN ? AND ?) WHERE true
    GROUP BY session_id, day
    ON CONFLICT DO UPDATE SET ${addColumns}`,
  `INSERT INTO usage_sessions
    SELECT session_id, person, engine, sum(cost_usd), max(day) FROM (${entries} WHERE rowid BETWEEN ? AND ?) WHERE true
    GROUP BY session_id
    ON CONFLICT DO UPDATE SET cost_usd = cost_usd + excluded.cost_usd, last_day = max(last_day, excluded.last_day)`,
];
const entriesPerStep = 200;
const sessionsPerRead = 100;

const byDay = `
  SELECT day, person, model, engine, ${sumColumns} FROM (
    SELECT day, person, model, engine, ${columns.join(', ')} FROM usage_days WHERE day >= date(? / 1000, 'unixepoch')
    UNION ALL
    SELECT day, person, model, engine, ${columns.join(', ')} FROM (${notAdded} AND at >= ?)
  )
  GROUP BY day, person, model, engine ORDER BY day`;

const isIncomplete = 'SELECT 1 FROM usage_progress WHERE oldest > 1';
const sumsOfEntries = `
  SELECT session_id AS id, engine, ${sumColumns} FROM (${entries} WHERE person = ? AND at >= ?)
  GROUP BY session_id ORDER BY cost_usd DESC LIMIT ?`;
const candidates = `
  SELECT session_id AS id, cost_usd AS total FROM usage_sessions INDEXED BY usage_sessions_by_cost
  WHERE person = ? AND last_day >= date(? / 1000, 'unixepoch') ORDER BY cost_usd DESC LIMIT ? OFFSET ?`;
const sumsOfSessions = `
  SELECT day.session_id AS id, engine, ${columns.map((column) => `sum(day.${column}) AS ${column}`).join(', ')}
  FROM usage_session_days AS day JOIN usage_sessions ON usage_sessions.session_id = day.session_id
  WHERE day.session_id IN (SELECT value FROM json_each(?)) AND day >= date(? / 1000, 'unixepoch')
  GROUP BY day.session_id`;
const titles = 'SELECT id, title FROM sessions WHERE id IN (SELECT value FROM json_each(?))';

interface Sums {
  readonly turns: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly cost_usd: number;
}

type SessionSums = Sums & Pick<SessionUsage, 'engine'> & { readonly id: string };

export interface UsageParts {
  readonly connection: Connection;
  readonly reader: Reader;
  readonly writes: Writes;
}

export interface SqliteUsageBook extends UsageBook {
  /** Adds entries that are older than the sums. */
  readonly addOld: Step;
}

export function createUsageBook({ connection, reader, writes }: UsageParts): SqliteUsageBook {
  const addToSums = (first: number, last: number) => {
    for (const statement of add) connection.prepare(statement).run([first, last]);
  };

  /** A session's cost since a day is at most its total, so a few sessions with the highest total contain the best ones. */
  async function mostExpensive(person: string, since: number, limit: number) {
    const found: SessionSums[] = [];
    for (let offset = 0; ; offset += sessionsPerRead) {
      const next = await reader.all<{ id: string; total: number }>(candidates, [
        person,
        since,
        sessionsPerRead,
        offset,
      ]);
      const ids = JSON.stringify(next.map(({ id }) => id));
      found.push(...(await reader.all<SessionSums>(sumsOfSessions, [ids, since])));
      found.sort((a, b) => b.cost_usd - a.cost_usd);
      found.splice(limit);
      const last = found.at(-1);
      const isFull = found.length === limit && last && last.cost_usd >= (next.at(-1)?.total ?? 0);
      if (next.length < sessionsPerRead || isFull) return found;
    }
  }

  return {
    record(entry) {
      const { at, person, engine, door, model, sessionId, usage, turns = 1 } = entry;
      const row = {
        at,
        person,
        engine,
        door,
        model,
        turns,
        session_id: sessionId,
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
        cache_read_tokens: usage.cacheReadTokens,
        cache_write_tokens: usage.cacheWriteTokens,
        cost_usd: usage.costUsd,
      };
      return writes.relaxed(() => {
        connection.change(query.insertInto('usage_entries').values(row));
        const [added] = connection.prepare('SELECT last_insert_rowid() AS id').all([]) as [{ id: number }];
        addToSums(added.id, added.id);
        addSpending(connection, entry);
      });
    },

    async byDay(since) {
      const rows = await reader.all<Omit<UsageLine, 'usage'> & Sums>(byDay, [since, since]);
      return rows.map(({ day, person, model, engine, ...sums }) => ({
        day,
        person,
        model,
        engine,
        ...toSums(sums),
      }));
    },

    async bySession(person, since, limit) {
      const hasSums = connection.prepare(isIncomplete).all([]).length === 0;
      const rows = hasSums
        ? await mostExpensive(person, since, limit)
        : await reader.all<SessionSums>(sumsOfEntries, [person, since, limit]);
      const ids = JSON.stringify(rows.map(({ id }) => id));
      const named = new Map(
        (connection.prepare(titles).all([ids]) as { id: string; title: string }[]).map(({ id, title }) => [
          id,
          String(decode(title, { table: 'sessions', id, column: 'title' })),
        ]),
      );
      return rows.map(({ id, engine, ...sums }) => ({
        sessionId: id,
        engine,
        title: named.get(id) ?? '',
        ...toSums(sums),
      }));
    },

    addOld: () =>
      connection.write(() => {
        const [row] = connection.prepare('SELECT oldest FROM usage_progress').all([]) as [{ oldest: number }];
        const first = Math.max(1, row.oldest - entriesPerStep);
        if (row.oldest <= 1) return false;
        addToSums(first, row.oldest - 1);
        connection.prepare('UPDATE usage_progress SET oldest = ?').run([first]);
        return true;
      }),
  };
}

function toSums(row: Sums): { turns: number; usage: Usage } {
  return {
    turns: row.turns,
    usage: {
      ...noUsage,
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      cacheReadTokens: row.cache_read_tokens,
      cacheWriteTokens: row.cache_write_tokens,
      costUsd: row.cost_usd,
    },
  };
}
