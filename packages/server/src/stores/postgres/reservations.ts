// What requests under way may still cost, on all servers. A server's reservations count as long as its lease.
import { randomUUID } from 'node:crypto';
import { noAmounts } from '../../domain/budgets.ts';
import type { SharedReservations, SharedSum, Subject } from '../../domain/spending.ts';
import { all, type Database, run, type Work } from '../sql/work.ts';
import { postgresDialect } from './dialect.ts';

const wanted =
  'SELECT scope, subject FROM json_to_recordset(CAST(? AS json)) AS wanted(scope text, subject text)';
const spent = `
  SELECT scope, subject, sum(usd) AS usd, sum(tokens) AS tokens,
    sum(CASE WHEN day = ? THEN usd ELSE 0 END) AS day_usd, sum(CASE WHEN day = ? THEN tokens ELSE 0 END) AS day_tokens
  FROM spending WHERE day >= ? AND (scope, subject) IN (${wanted}) GROUP BY scope, subject`;
const reserved = `
  SELECT scope, subject, sum(usd) AS usd, sum(tokens) AS tokens
  FROM reservations JOIN servers ON servers.id = server_id AND lease_until > statement_timestamp()
  WHERE (scope, subject) IN (${wanted}) GROUP BY scope, subject`;
const add = `
  INSERT INTO reservations (id, server_id, scope, subject, usd, tokens)
  SELECT ?, ?, scope, subject, CAST(? AS double precision), CAST(? AS double precision) FROM (${wanted}) AS given`;
const forget = 'DELETE FROM reservations WHERE server_id NOT IN (SELECT id FROM servers)';

interface AmountsRow extends Subject {
  readonly usd: number;
  readonly tokens: number;
}

interface SpentRow extends AmountsRow {
  readonly day_usd: number;
  readonly day_tokens: number;
}

/** The reservations that one server makes. */
export function createReservations(database: Database, server: string): SharedReservations {
  return {
    sums: (day, subjects) => database.read(sumsOf(day, subjects)),

    // In a transaction of its own, because a lock doesn't keep apart writes that share one.
    reserve: (day, subjects, most, mayLeave) =>
      database.apart(function* () {
        yield* postgresDialect.lock('reservations');
        const sums = yield* sumsOf(day, subjects);
        if (!mayLeave(sums)) return { sums, id: undefined };
        const id = randomUUID();
        yield* run(add, [id, server, most.usd, most.tokens, JSON.stringify(subjects)]);
        yield* run(forget);
        return { sums, id };
      }),

    async release(id) {
      await database.apart(() => run('DELETE FROM reservations WHERE id = ?', [id]));
    },
  };
}

function* sumsOf(day: string, subjects: readonly Subject[]): Work<readonly SharedSum[]> {
  const given = JSON.stringify(subjects.map(({ scope, subject }) => ({ scope, subject })));
  const counted = yield* all<SpentRow>(spent, [day, day, `${day.slice(0, 7)}-01`, given]);
  const held = yield* all<AmountsRow>(reserved, [given]);
  return subjects.map(({ scope, subject }) => {
    const isThis = (row: Subject) => row.scope === scope && row.subject === subject;
    const sums = counted.find(isThis);
    const waiting = held.find(isThis);
    return {
      scope,
      subject,
      day: sums ? { usd: sums.day_usd, tokens: sums.day_tokens } : noAmounts,
      month: sums ? { usd: sums.usd, tokens: sums.tokens } : noAmounts,
      reserved: waiting ? { usd: waiting.usd, tokens: waiting.tokens } : noAmounts,
    };
  });
}
