// `parley support` and `parley log-level`: help when something goes wrong. Both ask the running server, if there is one.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LogLevel, LogLevelState, type SupportReport } from '@parley/protocol';
import { makeSupportReport, type Question, ServerFacts } from '../app/support.ts';
import { askPrivately } from '../basics/private-socket.ts';
import { controlSocket } from '../config/files.ts';
import type { Config } from '../config/schema.ts';
import type { CommandLine } from './command-line.ts';
import { everyCheck, examine } from './doctor.ts';
import { fail, print } from './print.ts';
import { loadForData, noteDemo } from './whose-data.ts';

const levelHelp = `Usage: parley log-level [${LogLevel.options.join(' | ')} | normal]

Changes what the running server logs, until it restarts. “normal” goes back to the setting log.level. Without an
argument, it shows the level. With several servers, it asks the one that uses this home.`;

export async function changeLogLevel(line: CommandLine): Promise<number> {
  const [word, more] = line.words;
  if (word === 'help') return print(levelHelp);
  const level = word === 'normal' ? null : LogLevel.safeParse(word).data;
  if (more !== undefined || (word !== undefined && level === undefined)) return fail(levelHelp, 2);
  const loaded = await loadForData(line);
  const { config } = loaded;
  const question: Question = level === undefined ? { ask: 'levels' } : { ask: 'log-level', level };
  const answer = await askServer(config, question);
  if (answer === undefined) return fail(`No server is using the data in ${config.dataDir}. Start one first.`);
  if (answer === noAnswer)
    return fail(`The server that uses ${config.dataDir} does not answer. Look at its log, or restart it.`);
  noteDemo(loaded);
  return print(levelText(LogLevelState.parse(answer)));
}

function levelText({ level, configured }: LogLevelState): string {
  const normal = level === configured ? 'as the settings say' : `until the next start; then ${configured}`;
  return `The log level is ${level} (${normal}).`;
}

const supportHelp = `Usage: parley support [--to <file>]

Writes a report for someone who helps you: versions, settings, the output of parley doctor, sizes, and the newest log lines
and metrics of the running server. It contains no secrets and nothing that people wrote. Read it before you send it.`;

export async function writeReport(line: CommandLine): Promise<number> {
  const [word] = line.words;
  if (word === 'help') return print(supportHelp);
  if (word !== undefined) return fail(supportHelp, 2);
  const loaded = await loadForData(line);
  noteDemo(loaded);
  const found = await examine(loaded, everyCheck);
  const findings = found.map((one) => ({ ...one, fix: one.state === 'ok' ? null : one.fix }));
  const answer = await askServer(loaded.config, { ask: 'server-facts' });
  const server = answer === undefined || answer === noAnswer ? undefined : ServerFacts.parse(answer);
  const report = await makeSupportReport(loaded, findings, server);
  const file = resolve(line.wordFlags.to ?? fileNameOf(report));
  try {
    await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return fail(
      code === 'EEXIST'
        ? `${file} already exists. Choose another with --to.`
        : `Can't write ${file}: ${code}.`,
    );
  }
  const reason = answer === noAnswer ? 'The running server does not answer' : 'No server is running';
  const missing = server ? '' : `\n${reason}, so it has no log lines and no metrics.`;
  return print(`Wrote ${file}. Read it before you send it to anyone.${missing}`);
}

/** Such as `parley-support-2026-11-17T10-30-00.json`. */
function fileNameOf({ madeAt }: SupportReport): string {
  return `parley-support-${madeAt.slice(0, 19).replaceAll(':', '-')}.json`;
}

const noAnswer = Symbol('no answer');

/** Undefined if no server runs, `noAnswer` if it hangs or has just stopped. */
function askServer(config: Config, question: Question): Promise<unknown> {
  return askPrivately(controlSocket(config), question).catch(() => noAnswer);
}
