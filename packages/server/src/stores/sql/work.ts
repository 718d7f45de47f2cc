// A piece of database work: a generator that yields statements and receives their answers. It doesn't know who runs it:
// SQLite answers at once, PostgreSQL over a network. So every query exists once, for both.
import type { Compilable, OperationNodeSource, QueryCompiler, RawBuilder, RootOperationNode } from 'kysely';

/** What may be bound. SQLite's driver aborts the whole process on a boolean. */
export type Value = string | number | null;

/** Built with Kysely or, on hot paths, written by hand with a `?` for each value. */
type Query<Row> = ((Compilable<Row> | RawBuilder<Row>) & OperationNodeSource) | string;

export interface Statement {
  readonly query: Query<unknown>;
  /** For a query that is written by hand. */
  readonly values: readonly Value[];
  /** What its answer is: the rows, or the number of rows that it changed. */
  readonly returns: 'rows' | 'changes';
}

export type Answer = readonly unknown[] | number;

/** A statement that fails ends the work, and with it the transaction. */
export type Work<T> = Generator<Statement, T, Answer>;

export function* all<Row>(query: Query<Row>, values: readonly Value[] = []): Work<readonly Row[]> {
  return (yield { query, values, returns: 'rows' }) as readonly Row[];
}

export function* first<Row>(query: Query<Row>, values: readonly Value[] = []): Work<Row | undefined> {
  return ((yield { query, values, returns: 'rows' }) as readonly Row[])[0];
}

/** The number of changed rows. */
export function* run(query: Query<unknown>, values: readonly Value[] = []): Work<number> {
  return (yield { query, values, returns: 'changes' }) as number;
}

/** Runs pieces of work on one database. */
export interface Database {
  /** Not in a transaction. */
  readonly read: <T>(work: Work<T>) => Promise<T>;
  /** For reads that may take long: they don't hold up anything else, and each statement has a time limit. */
  readonly readLong: <T>(work: Work<T>) => Promise<T>;
  /** Runs all of the work or none of it. Resolves when it survives a crash of the process. May call `work` again. */
  readonly relaxed: <T>(work: () => Work<T>) => Promise<T>;
  /** The same, but resolves when it survives a power cut, too. */
  readonly durable: <T>(work: () => Work<T>) => Promise<T>;
  /** Like `relaxed`, but in a transaction of its own, which is short: for rows that all servers change. */
  readonly apart: <T>(work: () => Work<T>) => Promise<T>;
}

/** For Kysely's plugins, which are not used. */
const noId = { queryId: '' };

/** The statement as SQL of a dialect, with its values. */
export function compiled({ query, values }: Statement, compiler: QueryCompiler) {
  if (typeof query === 'string') return { sql: query, values };
  const { sql, parameters } = compiler.compileQuery(query.toOperationNode() as RootOperationNode, noId);
  return { sql, values: bindable(parameters) };
}

function bindable(parameters: readonly unknown[]): readonly Value[] {
  for (const value of parameters) {
    if (value !== null && typeof value !== 'string' && typeof value !== 'number') {
      throw new TypeError(`A ${typeof value} cannot be bound to a statement.`);
    }
  }
  return parameters as readonly Value[];
}
