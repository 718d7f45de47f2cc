// Do Node and the programs that Parley starts have the right version?
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Sentence, say } from '@parley/protocol';
import { broken, type Check, type Examined, type HealthCheck, ok, warning } from './check.ts';

const run = promisify(execFile);

const neededNode = [20, 19] as const;

export const nodeVersion: Check = {
  name: 'Node',
  run: async () => [isNewEnough(process.versions.node) ? ok(process.versions.node) : tooOld()],
};

export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > neededNode[0] || (major === neededNode[0] && minor >= neededNode[1]);
}

function tooOld() {
  return broken(`${process.versions.node} is too old`, `Install Node ${neededNode.join('.')} or newer.`);
}

export const ripgrep: HealthCheck = {
  name: say`ripgrep`,
  run: async (examined) => {
    const fix = say`Run npm install again, including optional packages.`;
    try {
      const { rgPath } = await import('@vscode/ripgrep');
      return [ok(say`${await versionOf(rgPath, ['--no-config', '--version'], examined)}`)];
    } catch (error) {
      return [broken(say`search does not work: ${reason(error)}`, fix)];
    }
  },
};

export const claude: HealthCheck = {
  name: say`claude`,
  run: async (examined) => {
    const { config, environment } = examined;
    const { path } = config.claude;
    const trouble = (detail: Sentence) =>
      path === undefined
        ? warning(
            detail,
            say`Install it with npm install -g @anthropic-ai/claude-code, or set PARLEY_CLAUDE_PATH.`,
          )
        : broken(detail, say`Correct PARLEY_CLAUDE_PATH.`);
    const program = path ?? (await claudeProgram(environment['PATH']));
    if (program === undefined) return [trouble(say`the program was not found`)];
    const { isTooOld, OLDEST_VERSION, programCommand } = await import('@parley/claude-cli');
    const { file, args } = programCommand(program);
    try {
      const version = await versionOf(file, [...args, '--version'], examined);
      const [number = ''] = /\d+\.\d+\.\d+/.exec(version) ?? [];
      if (number !== '' && isTooOld(number)) {
        return [trouble(say`${version} at ${program} is too old, needs ${OLDEST_VERSION} or newer`)];
      }
      return [ok(say`${version}, ${program}`)];
    } catch (error) {
      return [trouble(say`${program} does not run: ${reason(error)}`)];
    }
  },
};

/** Uses the driver's search, so that both find the same program. */
async function claudeProgram(searchPath: string | undefined): Promise<string | undefined> {
  const { discoverProgram } = await import('@parley/claude-cli');
  try {
    return discoverProgram({ searchPath });
  } catch {
    return undefined;
  }
}

/** Returns the first line of output. Passes only what a program needs to start, and no secrets. */
async function versionOf(program: string, args: readonly string[], examined: Examined): Promise<string> {
  const { environment, signal } = examined;
  const env = { PATH: environment['PATH'], HOME: environment['HOME'] };
  const { stdout } = await run(program, [...args], { env, signal, maxBuffer: 64 * 1024 });
  return stdout.split('\n', 1)[0]?.trim() ?? '';
}

function reason(error: unknown): Sentence {
  const { code, signal } = error as { code?: string | number; signal?: string };
  if (code === 'ENOENT') return say`the file does not exist`;
  if (code === 'EACCES') return say`it is not executable`;
  if (code === 'ABORT_ERR') return say`it took too long`;
  if (signal) return say`it was stopped by ${signal}`;
  return code === undefined ? say`unknown error` : say`error ${code}`;
}
