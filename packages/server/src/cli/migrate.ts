// `parley migrate`: moves everything that a home has in SQLite to PostgreSQL, and says what to set next.
import { ParleyError } from '@parley/protocol';
import { type MoveResult, type MoveStep, moveHome } from '../app/move-home.ts';
import { sharedKey } from '../app/shared-key.ts';
import { loadProcessConfig } from '../config/load.ts';
import { formatProblems } from '../config/problem.ts';
import type { Config } from '../config/schema.ts';
import { isPostgresUrl } from '../config/sections/database.ts';
import type { CommandLine } from './command-line.ts';
import { fail, print } from './print.ts';
import { requestToStop } from './stopping.ts';
import { loadForHome } from './whose-data.ts';

const help = `Usage: parley migrate [--to postgres://user:password@host:5432/database] [--home <folder>]

Copies everything in the home to an empty PostgreSQL database: sessions, accounts, keys, usage, recipes, the chats of
bots, settings of the app and, with PARLEY_CLUSTER_SECRET, LinkedIn logins. Then compares both row by row. Without --to,
it uses the database of PARLEY_DATABASE_URL.

Stop the server first. The home stays as it is. If the command is interrupted, run it again: it continues.`;

export async function migrate(line: CommandLine): Promise<number> {
  const [word] = line.words;
  if (word === 'help') return print(help);
  if (word !== undefined)
    return fail(`Unexpected argument “${word}” after migrate. See parley migrate --help.`, 2);
  const { config, problems } = loadForHome(loadProcessConfig(line.flags));
  if (problems.length > 0) return fail(formatProblems(problems));
  const url = line.wordFlags.to ?? config.database.url?.reveal();
  if (url === undefined)
    return fail(`Use --to to say where to move the home, or set PARLEY_DATABASE_URL.\n\n${help}`, 2);
  if (!isPostgresUrl(url))
    return fail('--to must be an address such as postgres://parley:password@localhost:5432/parley.', 2);

  const stop = new AbortController();
  void requestToStop().then(() => stop.abort());
  const progress = showProgress();
  try {
    const result = await moveHome({
      home: config,
      url,
      sealingKey: sharedKey(config, 'linkedin'),
      signal: stop.signal,
      onProgress: progress.show,
    });
    progress.end();
    return print(summary(result, config));
  } catch (error) {
    progress.end();
    if (stop.signal.aborted) return fail(`Stopped. ${continueText}`);
    if (!(error instanceof ParleyError)) throw error;
    return fail(error.code === 'unavailable' ? `${error.message} ${continueText}` : error.message);
  }
}

const continueText = 'Run the same command again to continue.';

function summary(
  { isNew, rows, tables, pinned, unreadableChats, leftLogins, to }: MoveResult,
  { dataDir }: Pick<Config, 'dataDir'>,
): string {
  const place = `the database “${to.database}” at ${to.server}`;
  if (!isNew) return `This home has already been moved to ${place}. Nothing was changed.`;
  const notes = [
    ...(pinned > 0
      ? [
          `Only on this machine: ${count(pinned, 'Claude Code session')}. Run one of the servers with this home.`,
        ]
      : []),
    ...(unreadableChats > 0
      ? [`Left out, because unreadable: ${count(unreadableChats, 'entry', 'entries')} of the chat map.`]
      : []),
    ...(leftLogins.length > 0
      ? [
          `The LinkedIn logins of ${leftLogins.join(', ')} stay in this home: they move only if PARLEY_CLUSTER_SECRET is set and they can be opened. These people connect LinkedIn again.`,
        ]
      : []),
  ];
  return [
    `Moved ${count(rows, 'row')} in ${tables} tables to ${place}, and compared each of them.`,
    ...notes,
    '',
    'Next:',
    '  1. Set PARLEY_DATABASE_URL (or database.url in parley.config.json) to this database, and start Parley.',
    '  2. For several servers, also set PARLEY_SERVER_URL and the same PARLEY_CLUSTER_SECRET on each of them, and',
    '     PARLEY_VAULT_ROOT to one folder of notes that all of them can see.',
    '  3. Run parley doctor on each of them.',
    '',
    `The files in ${dataDir} are unchanged. Keep them as a backup; they won't include anything from now on.`,
  ].join('\n');
}

/** One line for each table; in a terminal, it counts up. */
function showProgress() {
  const isTerminal = process.stderr.isTTY;
  let shown: MoveStep | undefined;
  const text = ({ doing, table, done, of }: MoveStep) =>
    `${doing} ${table.padEnd(20)} ${done.toLocaleString('en-US')} of ${of.toLocaleString('en-US')}`;
  const end = () => {
    if (shown) process.stderr.write(isTerminal ? '\n' : `${text(shown)}\n`);
    shown = undefined;
  };
  return {
    show: (step: MoveStep) => {
      if (step.of === 0) return;
      if (shown && (shown.table !== step.table || shown.doing !== step.doing)) end();
      shown = step;
      if (isTerminal) process.stderr.write(`\r${text(step)}`);
    },
    end,
  };
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
}
