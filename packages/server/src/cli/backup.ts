// `parley backup` and `parley restore`.
import { sep } from 'node:path';
import { ParleyError } from '@parley/protocol';
import { backupHome } from '../app/backup.ts';
import { restoreHome } from '../app/restore.ts';
import { sessionMapFile, transcriptLogFile } from '../config/files.ts';
import { loadProcessConfig } from '../config/load.ts';
import { formatProblems } from '../config/problem.ts';
import type { Config } from '../config/schema.ts';
import { version } from '../version.ts';
import type { CommandLine } from './command-line.ts';
import { fail, print } from './print.ts';
import { realHome } from './real-home.ts';
import { requestToStop } from './stopping.ts';

const backupHelp = `Usage: parley backup <file.tar.gz> [--home <folder>]

Writes everything in the home into one file: conversations, accounts, settings, recipes, and the folders of people's claude
programs. The server may keep running. The file contains secrets, such as tokens and password hashes: keep it as safe as
the home. Notes and ~/.claude are not in the home, so they are not in the file.

If the home uses PostgreSQL, the file has everything but the database. Back that up with pg_dump.`;

const restoreHelp = `Usage: parley restore <file.tar.gz> [--home <folder>] [--replace]

Brings a home back from a backup. Checks the whole file before it changes anything. Stop the server first. If there is data
in the home, --replace moves it into a folder before-restore-… in the home.`;

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
      const restored = await restoreHome({ home: config, file, replace, signal });
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
  const loaded = loadProcessConfig(line.flags);
  if (loaded.problems.length > 0) return fail(formatProblems(loaded.problems));
  const stop = new AbortController();
  void requestToStop().then(() => stop.abort());
  try {
    return print(await job.run(realHome(loaded), file, stop.signal));
  } catch (error) {
    if (stop.signal.aborted) return fail('Stopped. Nothing was changed.');
    if (error instanceof ParleyError) return fail(error.message);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') return fail('The disk is full. Nothing was changed.');
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return fail((error as Error).message);
    throw error;
  }
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
