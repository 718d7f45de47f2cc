// `parley backup` and `parley restore`.
import { sep } from 'node:path';
import { ParleyError } from '@parley/protocol';
import { backupHome } from '../app/backup.ts';
import { restoreHome } from '../app/restore.ts';
import type { Question } from '../app/support.ts';
import { pause } from '../basics/backoff.ts';
import { pathExists } from '../basics/path-exists.ts';
import { askPrivately } from '../basics/private-socket.ts';
import { controlSocket, restorePlanFile, sessionMapFile, transcriptLogFile } from '../config/files.ts';
import { loadProcessConfig } from '../config/load.ts';
import { formatProblems } from '../config/problem.ts';
import type { Config } from '../config/schema.ts';
import { version } from '../version.ts';
import type { CommandLine } from './command-line.ts';
import { fail, print } from './print.ts';
import { requestToStop } from './stopping.ts';
import { loadForHome } from './whose-data.ts';

const backupHelp = `Usage: parley backup <file.tar.gz> [--home <folder>]

Writes everything in the home into one file: conversations, accounts, settings, recipes, and the folders of people's claude
programs. The server may keep running. The file contains secrets, such as tokens and password hashes: keep it as safe as
the home. Notes and ~/.claude are not in the home, so they are not in the file.

If the home uses PostgreSQL, the file has everything but the database. Back that up with pg_dump.`;

const restoreHelp = `Usage: parley restore <file.tar.gz> [--home <folder>] [--replace]

Restores a home from a backup. Checks the whole file before it changes anything. If there is data in the home, --replace
moves it into a folder before-restore-… in the home. A running server restarts to do this: turns get a few seconds to finish.`;

interface Job {
  readonly help: string;
  readonly run: (config: Config, file: string, signal: AbortSignal) => Promise<string>;
}

export function backup(line: CommandLine): Promise<number> {
  return run(line, {
    help: backupHelp,
    async run(config, file, signal) {
      const { files, bytes } = await backupHome({ home: config, file, version, signal });
      return [
        `Backed up ${counted(files)} (${megabytes(bytes)}) from ${config.dataDir} to ${file}.`,
        'It contains secrets. Keep it as safe as the home.',
        ...elsewhere(config).map((path) => `Not in it, because it is not in the home: ${path}`),
        ...(config.database.url
          ? ['Not in it: the PostgreSQL database. Back it up with pg_dump --format=custom at the same time.']
          : []),
      ].join('\n');
    },
  });
}

export function restore(line: CommandLine): Promise<number> {
  return run(line, {
    help: restoreHelp,
    async run(config, file, signal) {
      const replace = line.wordFlags.replace !== undefined;
      const askServer = (stage: string) => askToRestore(config, stage);
      const restored = await restoreHome({ home: config, file, replace, askServer, signal });
      if (restored.byServer) await untilRestarted(config, signal);
      return [
        `Restored ${counted(restored.files)} (${megabytes(restored.bytes)}) of Parley ${restored.version} to ${config.dataDir}.`,
        ...(restored.aside === undefined ? [] : [`What was there before is in ${restored.aside}.`]),
      ].join('\n');
    },
  });
}

async function run(line: CommandLine, job: Job): Promise<number> {
  const [file, extra] = line.words;
  if (file === 'help') return print(job.help);
  if (file === undefined || extra !== undefined) return fail(`Name one file.\n\n${job.help}`, 2);
  const { config, problems } = loadForHome(loadProcessConfig(line.flags));
  if (problems.length > 0) return fail(formatProblems(problems));
  const stop = new AbortController();
  void requestToStop().then(() => stop.abort());
  try {
    return print(await job.run(config, file, stop.signal));
  } catch (error) {
    if (error instanceof ParleyError) return fail(error.message);
    if (stop.signal.aborted) return fail('Stopped. Nothing was changed.');
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') return fail('The disk is full. Nothing was changed.');
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return fail((error as Error).message);
    throw error;
  }
}

/** Resolves to the folder that the old data will be in. */
async function askToRestore(config: Config, stage: string): Promise<string> {
  const question: Question = { ask: 'restore', stage };
  const answer = await askPrivately(controlSocket(config), question).catch(() => undefined);
  if (typeof answer === 'string') return answer;
  throw new ParleyError(
    'conflict',
    `A server is using ${config.dataDir} but does not answer. Stop it and try again. Nothing was changed.`,
  );
}

/** A server that has moved the data may need this long to start with it. */
const startMs = 30_000;

async function untilRestarted(config: Config, signal: AbortSignal): Promise<void> {
  const isRunning = () => askPrivately(controlSocket(config), { ask: 'levels' } satisfies Question);
  const end = performance.now() + config.limits.shutdownSeconds * 1_000 + startMs;
  while (!signal.aborted && performance.now() < end) {
    const isPlanned = await pathExists(restorePlanFile(config));
    if (!isPlanned && (await isRunning().catch(() => undefined)) !== undefined) return;
    await pause(200, signal);
  }
  throw new ParleyError(
    'unavailable',
    `The server that uses ${config.dataDir} is restoring the backup and is not back yet. It will finish the next time it starts: check its log.`,
  );
}

/** Parley's files outside of the home. */
function elsewhere(config: Config): readonly string[] {
  const paths = [config.vaultRoot, sessionMapFile(config), transcriptLogFile(config), config.file ?? ''];
  return paths.filter((path) => path !== '' && !path.startsWith(config.dataDir + sep));
}

function counted(files: number): string {
  return `${files.toLocaleString('en-US')} ${files === 1 ? 'file' : 'files'}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
