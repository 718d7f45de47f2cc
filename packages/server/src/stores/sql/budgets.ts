// Budget rules, what was spent, and the warnings that people got. Spending is added up by day, together with the
// entries of the usage book.
import { amountsOf, periodAt, scopes } from '../../domain/budgets.ts';
import type { BudgetStore, SpentSum, Subject } from '../../domain/spending.ts';
import type { UsageEntry } from '../../domain/usage-book.ts';
import { query } from './schema.ts';
import { all, type Database, run, type Work } from './work.ts';

export interface SpentRow extends Subject {
  readonly usd: number;
  readonly tokens: number;
  readonly day_usd: number;
  readonly day_tokens: number;
}

/** What was spent on a day and in its month; `andWhere` limits it to some subjects. */
export function spentOn(
  day: string,
  andWhere = '',
  values: readonly string[] = [],
): Work<readonly SpentRow[]> {
  const sums = `
    SELECT scope, subject, sum(usd) AS usd, sum(tokens) AS tokens,
      sum(CASE WHEN day = ? THEN usd ELSE 0 END) AS day_usd, sum(CASE WHEN day = ? THEN tokens ELSE 0 END) AS day_tokens
    FROM spending WHERE day >= ? ${andWhere} GROUP BY scope, subject`;
  return all<SpentRow>(sums, [day, day, monthStart(day), ...values]);
}

export function amountsIn({ usd, tokens, day_usd, day_tokens }: SpentRow): Pick<SpentSum, 'day' | 'month'> {
  return { day: { usd: day_usd, tokens: day_tokens }, month: { usd, tokens } };
}

const monthStart = (day: string) => `${day.slice(0, 7)}-01`;
const addSpent = `
  INSERT INTO spending (day, scope, subject, usd, tokens) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (day, scope, subject)
    DO UPDATE SET usd = spending.usd + excluded.usd, tokens = spending.tokens + excluded.tokens`;

export function createBudgetStore(database: Database): BudgetStore {
  return {
    async rules() {
      const columns = ['scope', 'subject', 'period', 'unit', 'limit'] as const;
      const rows = await database.read(all(query.selectFrom('budget_rules').select(columns)));
      return rows.map(({ subject, ...rule }) => ({ ...rule, ...(subject !== null && { subject }) }));
    },

    async putRule(id, { scope, subject, period, unit, limit }) {
      const row = { id, scope, subject: subject ?? null, period, unit, limit };
      const put = query.insertInto('budget_rules').values(row);
      await database.durable(() => run(put.onConflict((same) => same.column('id').doUpdateSet(row))));
    },

    async removeRule(id) {
      await database.durable(() => run(query.deleteFrom('budget_rules').where('id', '=', id)));
    },

    async spent(day) {
      await database.relaxed(() => run('DELETE FROM spending WHERE day < ?', [monthStart(day)]));
      const rows = await database.read(spentOn(day));
      return rows.map((row) => ({ scope: row.scope, subject: row.subject, ...amountsIn(row) }));
    },

    async warnings(since) {
      await database.relaxed(() => run(query.deleteFrom('budget_warnings').where('day', '<', since)));
      const rows = await database.read(all(query.selectFrom('budget_warnings').select('key')));
      return rows.map(({ key }) => key);
    },

    async addWarning(key, day) {
      const add = query.insertInto('budget_warnings').values({ key, day });
      return (await database.relaxed(() => run(add.onConflict((same) => same.doNothing())))) > 0;
    },
  };
}

/** Call it in the transaction that writes the entry. */
export function* addSpending(entry: UsageEntry): Work<void> {
  const { usd, tokens } = amountsOf(entry.usage);
  if (usd === 0 && tokens === 0) return;
  const day = periodAt(entry.at, 'day').name;
  const subjects = { ...entry, everybody: '', session: entry.sessionId };
  for (const scope of scopes) {
    const subject = subjects[scope];
    if (subject !== undefined) yield* run(addSpent, [day, scope, subject, usd, tokens]);
  }
}
