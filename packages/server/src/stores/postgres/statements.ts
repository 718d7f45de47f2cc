// Statements as PostgreSQL gets them: `$1` instead of `?`, and a name, so that it plans each text once per connection.
import { PostgresQueryCompiler } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import { BoundedMap } from '../../basics/bounded-map.ts';
import { type Answer, compiled, type Statement } from '../sql/work.ts';

/** The texts come from the code, so there are few. */
const maxTexts = 1_000;

const compiler = new PostgresQueryCompiler();
const known = new BoundedMap<string, { readonly name: string; readonly text: string }>(maxTexts);
let count = 0;

export async function ask(client: ClientBase | Pool, statement: Statement): Promise<Answer> {
  const { sql, values } = compiled(statement, compiler);
  const result = await client.query({ ...named(sql), values: values as (string | number | null)[] });
  return statement.returns === 'rows' ? result.rows : (result.rowCount ?? 0);
}

function named(sql: string): { readonly name: string; readonly text: string } {
  const before = known.get(sql);
  if (before) return before;
  let number = 0;
  const text = sql.replaceAll('?', () => {
    number += 1;
    return `$${number}`;
  });
  count += 1;
  const made = { name: `parley${count}`, text };
  known.set(sql, made);
  return made;
}
