// Do the programs run that Parley starts?
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { broken, type Check, type Examined, ok, warning } from './check.ts';

const run = promisify(execFile);

export const ripgrep: Check = {
  name: 'ripgrep',
  run: async (examined) => {
    const mend = 'Install the packages again with npm install, optional ones included.';
    try {
      const { rgPath } = await import('@vscode/ripgrep');
      return [ok(await versionOf(rgPath, ['--no-config', '--version'], examined))];
    } catch (error) {
      return [broken(`search does not work: ${reason(error)}`, mend)];
    }
  },
};

export const claude: Check = {
  name: 'claude',
  run: async (examined) => {
    const { config, environment } = examined;
    const mend = 'Install it with npm install -g @anthropic-ai/claude-code, or set PARLEY_CLAUDE_PATH.';
    const program = config.claude.path ?? claudeProgram(environment['PATH'] ?? '');
    if (program === undefined) return [warning('the program was not found', mend)];
    try {
      return [ok(`${await versionOf(program, ['--version'], examined)} at ${program}`)];
    } catch (error) {
      const detail = `${program} does not run: ${reason(error)}`;
      return [config.claude.path ? broken(detail, 'Correct PARLEY_CLAUDE_PATH.') : warning(detail, mend)];
    }
  },
};

/** In PATH, else in a platform package of npm. */
function claudeProgram(path: string): string | undefined {
  const name = process.platform === 'win32' ? 'claude.exe' : 'claude';
  const inPath = path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name));
  return [...inPath, ...packagedPrograms(name)].find(isProgram);
}

function packagedPrograms(name: string): readonly string[] {
  const { resolve } = createRequire(import.meta.url);
  const platforms = [`${process.platform}-${process.arch}`, `${process.platform}-${process.arch}-musl`];
  return ['claude-agent-sdk', 'claude-code'].flatMap((product) =>
    platforms.flatMap((platform) => {
      try {
        return [resolve(`@anthropic-ai/${product}-${platform}/${name}`)];
      } catch {
        return [];
      }
    }),
  );
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The first line of what it says. Of the environment it gets what a program needs to start, and no secret. */
async function versionOf(program: string, args: readonly string[], examined: Examined): Promise<string> {
  const { environment, signal } = examined;
  const env = { PATH: environment['PATH'], HOME: environment['HOME'] };
  const { stdout } = await run(program, [...args], { env, signal, maxBuffer: 64 * 1024 });
  return stdout.split('\n', 1)[0]?.trim() ?? '';
}

function reason(error: unknown): string {
  const { code, signal } = error as { code?: string | number; signal?: string };
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES') return 'it may not be executed';
  if (code === 'ABORT_ERR') return 'it gave no answer in time';
  if (signal) return `it was ended by ${signal}`;
  return code === undefined ? 'unknown error' : `error ${code}`;
}
