// The usage book: one row per request to a model, which stays when its session is deleted, and sums by day and session,
// which keep the overview fast no matter how many requests there were.
import { noUsage, type PersonName, type Usage } from '@parley/protocol';
import { sql } from 'kysely';
import type { SessionUsage, UsageBook, UsageEntry, UsageLine } from '../../domain/usage-book.ts';
import { addSpending } from './budgets.ts';
import type { Dialect } from './dialect.ts';
import { decode } from './json-column.ts';
import { query } from './schema.ts';
import { all, type Database, run, type Work } from './work.ts';

export const sumColumns = [
  'turns',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cost_usd',
] as const;
const columns = sumColumns.join(', ');
const sums = sumColumns.map((column) => `sum(day.${column}) AS ${column}`).join(', ');
const marks = sumColumns.map(() => '?').join(', ');
const added = (table: string) =>
  sumColumns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');

const addToDay = `
  INSERT INTO usage_days (day, person, model, engine, ${columns}) VALUES (?, ?, ?, ?, ${marks})
  ON CONFLICT (day, person, model, engine) DO UPDATE SET ${added('usage_days')}`;
const addToSessionDay = `
  INSERT INTO usage_session_days (session_id, day, ${columns}) VALUES (?, ?, ${marks})
  ON CONFLICT (session_id, day) DO UPDATE SET ${added('usage_session_days')}`;
const addToSession = `
  INSERT INTO usage_sessions (session_id, person, engine, cost_usd, last_day) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (session_id) DO UPDATE SET cost_usd = usage_sessions.cost_usd + excluded.cost_usd,
    last_day = CASE WHEN usage_sessions.last_day > excluded.last_day
      THEN usage_sessions.last_day ELSE excluded.last_day END`;
const byDay = `
  SELECT day, person, model, engine, ${columns} FROM usage_days WHERE day >= ? ORDER BY day, person, model, engine`;
const sessionsPerRead = 100;
const candidates = `
  SELECT session_id AS id, cost_usd AS total FROM usage_sessions
  WHERE person = ? AND last_day >= ? ORDER BY cost_usd DESC LIMIT ${sessionsPerRead} OFFSET ?`;

export interface Sums {
  readonly turns: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly cost_usd: number;
}

export type DaySums = Omit<UsageLine, 'usage'> & Sums;
export type SessionSums = Sums & Pick<SessionUsage, 'engine'> & { readonly id: string };

export function createUsageBook(database: Database, dialect: Dialect): UsageBook {
  return {
    record: (entry) => database.apart(() => record(entry)),
    byDay: async (since) => (await database.readLong(all<DaySums>(byDay, [dayOf(since)]))).map(toLine),
    bySession: (person, since, limit) =>
      database.readLong(
        (function* () {
          return yield* withTitles(dialect, yield* mostExpensive(dialect, person, dayOf(since), limit));
        })(),
      ),
  };
}

/** `2026-11-15`, in UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function* record(entry: UsageEntry): Work<void> {
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
  const amounts = sumColumns.map((column) => row[column]);
  const day = dayOf(at);
  yield* run(query.insertInto('usage_entries').values(row));
  yield* run(addToDay, [day, person, model, engine, ...amounts]);
  yield* run(addToSessionDay, [sessionId, day, ...amounts]);
  yield* run(addToSession, [sessionId, person, engine, usage.costUsd, day]);
  yield* addSpending(entry);
}

/** A session's cost since a day is at most its total, so this stops once the totals are lower than what was found. */
function* mostExpensive(
  { listed }: Dialect,
  person: PersonName,
  since: string,
  limit: number,
): Work<readonly SessionSums[]> {
  const found: SessionSums[] = [];
  for (let offset = 0; ; offset += sessionsPerRead) {
    const next = yield* all<{ id: string; total: number }>(candidates, [person, since, offset]);
    const ids = next.map(({ id }) => id);
    found.push(
      ...(yield* all(sql<SessionSums>`
        SELECT day.session_id AS id, engine, ${sql.raw(sums)}
        FROM usage_session_days AS day JOIN usage_sessions ON usage_sessions.session_id = day.session_id
        WHERE day.session_id IN ${listed(ids)} AND day >= ${since}
        GROUP BY day.session_id, engine`)),
    );
    found.sort((a, b) => b.cost_usd - a.cost_usd);
    found.splice(limit);
    const last = found.at(-1);
    const isFull = found.length === limit && last && last.cost_usd >= (next.at(-1)?.total ?? 0);
    if (next.length < sessionsPerRead || isFull) return found;
  }
}

export function* withTitles(
  { listed }: Dialect,
  found: readonly SessionSums[],
): Work<readonly SessionUsage[]> {
  const ids = listed(found.map(({ id }) => id));
  const rows = yield* all(query.selectFrom('sessions').select(['id', 'title']).where('id', 'in', ids));
  const titles = new Map(
    rows.map(({ id, title }) => [id, String(decode(title, { table: 'sessions', id, column: 'title' }))]),
  );
  return found.map(({ id, engine, ...amounts }) => ({
    sessionId: id,
    engine,
    title: titles.get(id) ?? '',
    ...toUsage(amounts),
  }));
}

export function toLine({ day, person, model, engine, ...amounts }: DaySums): UsageLine {
  return { day, person, model, engine, ...toUsage(amounts) };
}

function toUsage(row: Sums): { turns: number; usage: Usage } {
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
