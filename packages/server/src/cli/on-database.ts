// Runs the subcommands of `parley people`, `keys` and `audit` on the database. They need no running server; a running
// one notices changes within about a second.
import { ParleyError } from '@parley/protocol';
import { openAccounts } from '../app/people.ts';
import { openDurable } from '../app/stores.ts';
import { makePrivateFolder } from '../config/files.ts';
import { nearest } from '../config/nearest.ts';
import { formatProblems } from '../config/problem.ts';
import type { Config } from '../config/schema.ts';
import { silentLogger } from '../domain/logger.ts';
import type { SqlStore } from '../stores/sql/store.ts';
import type { CommandLine } from './command-line.ts';
import { fail, print } from './print.ts';
import { loadForData, noteDemo } from './whose-data.ts';

export interface DatabaseContext extends Awaited<ReturnType<typeof openAccounts>> {
  readonly config: Config;
  readonly line: CommandLine;
  readonly store: SqlStore;
}

/** Returns what to print, all at once or piece by piece. */
export type Subcommand = (
  context: DatabaseContext,
  ...words: readonly string[]
) => Promise<string> | AsyncIterable<string>;

export interface DatabaseCommand {
  readonly help: string;
  /** By name; `list` is the default. */
  readonly subcommands: Readonly<Record<string, Subcommand>>;
}

export async function runOnDatabase(
  line: CommandLine,
  { help, subcommands }: DatabaseCommand,
): Promise<number> {
  const [word = 'list', ...words] = line.words;
  if (word === 'help') return print(help);
  const subcommand = subcommands[word];
  if (!subcommand) {
    const meant = nearest(word, Object.keys(subcommands));
    return fail(`Unknown command “${line.command} ${word}”. ${meant ? `Did you mean ${meant}?` : help}`, 2);
  }
  const loaded = await loadForData(line);
  const { config, problems } = loaded;
  if (problems.length > 0) return fail(formatProblems(problems));
  noteDemo(loaded);
  try {
    await makePrivateFolder(config.dataDir);
    const store = await openDurable(config);
    try {
      const accounts = await openAccounts(config.people, store, silentLogger);
      const output = subcommand({ ...accounts, config, line, store }, ...words);
      if (!(Symbol.asyncIterator in output)) return print(await output);
      for await (const piece of output) print(piece);
      return 0;
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return fail(error.message);
  }
}

/** The assistants of `--assistants a,b`; undefined without the flag. */
export function namedAssistants({ wordFlags }: CommandLine): readonly string[] | undefined {
  return wordFlags.assistants?.split(',').filter((name) => name !== '');
}

/** A day such as `2027-01-31`, or a time in the same format, as milliseconds since 1970. */
export function timeOf(flag: string, text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new ParleyError('invalid', `--${flag} must be a day such as 2027-01-31, not “${text}”.`);
}
