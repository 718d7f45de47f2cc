// Do the programs run that Parley starts?
import { execFile } from 'node:child_process';
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
    const { path } = config.claude;
    const trouble = (detail: string) =>
      path === undefined
        ? warning(
            detail,
            'Install it with npm install -g @anthropic-ai/claude-code, or set PARLEY_CLAUDE_PATH.',
          )
        : broken(detail, 'Correct PARLEY_CLAUDE_PATH.');
    const program = path ?? (await claudeProgram(environment['PATH']));
    if (program === undefined) return [trouble('the program was not found')];
    try {
      return [ok(`${await versionOf(program, ['--version'], examined)} at ${program}`)];
    } catch (error) {
      return [trouble(`${program} does not run: ${reason(error)}`)];
    }
  },
};

/** As the driver finds it, so that both have the same one. */
async function claudeProgram(searchPath: string | undefined): Promise<string | undefined> {
  const { discoverProgram } = await import('@parley/claude-cli');
  try {
    return discoverProgram({ searchPath });
  } catch {
    return undefined;
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
