// The usage book: one row per turn, which stays when its session is deleted.
import { noUsage, type Usage } from '@parley/protocol';
import { sql } from 'kysely';
import type { UsageBook } from '../../domain/usage-book.ts';
import type { Connection, Writes } from './connection.ts';
import { decode } from './json-column.ts';
import { query } from './schema.ts';

export function createUsageBook(connection: Connection, { relaxed }: Writes): UsageBook {
  return {
    record({ usage, sessionId, ...entry }) {
      const row = {
        ...entry,
        session_id: sessionId,
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
        cache_read_tokens: usage.cacheReadTokens,
        cache_write_tokens: usage.cacheWriteTokens,
        cost_usd: usage.costUsd,
      };
      return relaxed(() => void connection.change(query.insertInto('usage_entries').values(row)));
    },

    async byDay(since) {
      const lines = query
        .selectFrom('usage_entries')
        .select(sql<string>`date(at / 1000, 'unixepoch')`.as('day'))
        .select(['person', 'model', 'engine'])
        .select(sums)
        .where('at', '>=', since)
        .groupBy([sql`1`, 'person', 'model', 'engine'])
        .orderBy(sql`1`);
      return connection.rows(lines).map(({ day, person, model, engine, ...row }) => ({
        day,
        person,
        model,
        engine,
        ...toSums(row),
      }));
    },

    async bySession(person, since, limit) {
      const sessions = query
        .selectFrom('usage_entries')
        .leftJoin('sessions', 'sessions.id', 'usage_entries.session_id')
        .select(['usage_entries.session_id', 'usage_entries.engine', 'sessions.title'])
        .select(sums)
        .where('usage_entries.person', '=', person)
        .where('at', '>=', since)
        .groupBy('usage_entries.session_id')
        .orderBy('cost_usd', 'desc')
        .limit(limit);
      return connection.rows(sessions).map(({ session_id: id, engine, title, ...row }) => ({
        sessionId: id,
        engine,
        title: title === null ? '' : String(decode(title, { table: 'sessions', id, column: 'title' })),
        ...toSums(row),
      }));
    },
  };
}

interface Sums {
  readonly turns: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly cost_usd: number;
}

const sums = [
  sql<number>`count(*)`.as('turns'),
  sql<number>`sum(input_tokens)`.as('input_tokens'),
  sql<number>`sum(output_tokens)`.as('output_tokens'),
  sql<number>`sum(cache_read_tokens)`.as('cache_read_tokens'),
  sql<number>`sum(cache_write_tokens)`.as('cache_write_tokens'),
  sql<number>`sum(cost_usd)`.as('cost_usd'),
] as const;

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
