// How often passwords were tried, on all servers together.
import { noTries, type Tries, type TriesStore } from '../../domain/tries.ts';
import { all, type Database, run } from '../sql/work.ts';
import { postgresDialect } from './dialect.ts';

const put = `
  INSERT INTO tries (name, count, last_at) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET count = excluded.count, last_at = excluded.last_at`;

interface TriesRow {
  readonly name: string;
  readonly count: number;
  readonly last_at: number;
}

export function createTriesStore(database: Pick<Database, 'apart'>): TriesStore {
  return {
    // In a transaction of its own, because a lock doesn't keep apart writes that share one. It costs less than checking
    // a password.
    change: (names, since, decide) =>
      database.apart(function* () {
        yield* postgresDialect.lock('tries');
        yield* run('DELETE FROM tries WHERE last_at < ?', [since]);
        const keys = names.map((name) => name.join(' '));
        const rows = yield* all<TriesRow>(
          'SELECT name, count, last_at FROM tries WHERE name IN (SELECT json_array_elements_text(CAST(? AS json)))',
          [JSON.stringify(keys)],
        );
        const known = new Map<string, Tries>(
          rows.map((row) => [row.name, { count: row.count, lastAt: row.last_at }]),
        );
        const { result, tries } = decide(keys.map((key) => known.get(key) ?? noTries));
        if (!tries) return result;
        for (const [index, key] of keys.entries()) {
          const next = tries[index];
          if (next) yield* run(put, [key, next.count, next.lastAt]);
          else if (known.has(key)) yield* run('DELETE FROM tries WHERE name = ?', [key]);
        }
        return result;
      }),
  };
}
