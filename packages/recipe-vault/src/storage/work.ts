// A piece of work on the recipes: a generator that yields statements and receives their answers. SQLite answers at
// once; a host with its own database, such as Parley with PostgreSQL, can answer over a network.
import type { Compilable, OperationNodeSource } from 'kysely';

type Query<Row> = (Compilable<Row> & OperationNodeSource) | string;

export interface Statement {
  readonly query: Query<unknown>;
  /** Always empty here. Statements of a host have the same shape, and may have values for a query written by hand. */
  readonly values: readonly never[];
  /** What it returns: the rows, or the number of rows that it changed. */
  readonly returns: 'rows' | 'changes';
}

export type Answer = readonly unknown[] | number;

/** A statement that fails ends the work, and with it the transaction. */
export type Work<T> = Generator<Statement, T, Answer>;

export function* all<Row>(query: Query<Row>): Work<readonly Row[]> {
  return (yield { query, values: [], returns: 'rows' }) as readonly Row[];
}

/** The first row. */
export function* first<Row>(query: Query<Row>): Work<Row | undefined> {
  return (yield* all(query))[0];
}

export function* change(query: Query<unknown>): Work<void> {
  yield { query, values: [], returns: 'changes' };
}
