// What requests under way may still cost, on all servers. A server's reservations count as long as its lease.
import { randomUUID } from 'node:crypto';
import { noAmounts } from '../../domain/budgets.ts';
import type { SharedReservations, SharedSum, Subject } from '../../domain/spending.ts';
import { amountsIn, spentOn } from '../sql/budgets.ts';
import { all, type Database, run, type Work } from '../sql/work.ts';
import { postgresDialect } from './dialect.ts';

const wanted =
  'SELECT scope, subject FROM json_to_recordset(CAST(? AS json)) AS wanted(scope text, subject text)';
const isWanted = `(scope, subject) IN (${wanted})`;
const reserved = `
  SELECT scope, subject, sum(usd) AS usd, sum(tokens) AS tokens
  FROM reservations JOIN servers ON servers.id = server_id AND lease_until > statement_timestamp()
  WHERE ${isWanted} GROUP BY scope, subject`;
const add = `
  INSERT INTO reservations (id, server_id, scope, subject, usd, tokens)
  SELECT ?, ?, scope, subject, CAST(? AS double precision), CAST(? AS double precision) FROM (${wanted}) AS given`;
const forget = 'DELETE FROM reservations WHERE server_id NOT IN (SELECT id FROM servers)';

interface AmountsRow extends Subject {
  readonly usd: number;
  readonly tokens: number;
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
  const counted = yield* spentOn(day, `AND ${isWanted}`, [given]);
  const held = yield* all<AmountsRow>(reserved, [given]);
  return subjects.map(({ scope, subject }) => {
    const isThis = (row: Subject) => row.scope === scope && row.subject === subject;
    const sums = counted.find(isThis);
    const waiting = held.find(isThis);
    return {
      scope,
      subject,
      ...(sums ? amountsIn(sums) : { day: noAmounts, month: noAmounts }),
      reserved: waiting ? { usd: waiting.usd, tokens: waiting.tokens } : noAmounts,
    };
  });
}
