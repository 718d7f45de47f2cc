// Settings that are valid, but unsafe or bound to fail. The doctor and every start check them.
import { stat } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { say } from '@parley/protocol';
import { isProgram } from '../../basics/program-search.ts';
import { isLoopback } from '../../basics/proxy-routes.ts';
import { botsOf } from '../../config/bots.ts';
import { allSettings, type Config } from '../../config/schema.ts';
import { secretsOf } from '../../config/secret.ts';
import { valueAt } from '../../config/tree.ts';
import { isBypassing } from '../../domain/access.ts';
import { ok, type QuickCheck, warning } from './check.ts';
import { appSettings } from './configuration.ts';
import { disk } from './files.ts';

const shortestPassword = 8;
const shortestKey = 16;

export const password: QuickCheck = {
  name: say`Password`,
  run: async ({ config }) => {
    const { familyPassword, familyPasswordHash } = config;
    if (familyPasswordHash !== undefined) return [ok(say`configured as a hash`)];
    if (!familyPassword) return [ok(say`none configured; one is created on the first start`)];
    const isWeak = familyPassword.reveal().length < shortestPassword || /^\d+$/.test(familyPassword.reveal());
    if (!isWeak || !isReachable(config)) return [ok(say`configured`)];
    return [
      warning(
        say`others can reach Parley, and the family password is easy to guess`,
        say`Set FAMILY_PASSWORD to at least ${shortestPassword} characters that are not all digits, such as a few words.`,
      ),
    ];
  },
};

export const apiKeys: QuickCheck = {
  name: say`API keys`,
  run: async ({ config }) => {
    const { apiKey, apiKeys: more } = config;
    if (!apiKey && more.length === 0) return [ok(say`none configured; one is created on the first start`)];
    const keys = [apiKey, ...more.map(({ key }) => key)].filter((key) => key !== undefined);
    if (keys.some((key) => key.reveal().length < shortestKey) && isReachable(config)) {
      return [
        warning(
          say`others can reach Parley, and an API key is short enough to guess`,
          say`Use a long random key: openssl rand -base64 32`,
        ),
      ];
    }
    return [ok(say`${keys.length} configured`)];
  },
};

/** A file that its group can read counts as private: somebody made it that way on purpose. */
export const secretsInFile: QuickCheck = {
  name: say`Secrets`,
  run: async ({ loaded: { config, origins, file } }) => {
    if (file === undefined) return [ok(say`none in a file`)];
    const keys = allSettings
      .filter(({ secret, key }) => secret && origins.get(key)?.from === 'file')
      .filter(({ path }) => holdsSecret(valueAt(config, path)))
      .map(({ key }) => key);
    if (keys.length === 0) return [ok(say`none in ${file}`)];
    if (!(await isReadByOthers(file))) return [ok(say`only you can read those in ${file}`)];
    return [
      warning(
        say`every user of this machine can read ${file}, which contains ${keys.join(', ')}`,
        say`chmod 600 '${file}'`,
      ),
    ];
  },
};

/** As root, `claude` refuses to skip permissions, so every message to a bot with full permissions would fail. */
export function rootUser(uid = process.getuid?.()): QuickCheck {
  return {
    name: say`User`,
    run: async ({ config, environment }) => {
      const isRefused = uid === 0 && !config.demo && !environment['IS_SANDBOX'];
      const bots = botsOf(config).filter(
        ({ isEnabled, engine, permissionMode }) =>
          isEnabled && engine === 'claude-code' && permissionMode === 'full',
      );
      if (!isRefused || bots.length === 0) return [ok(uid === 0 ? say`root` : say`not root`)];
      const names = bots.map(({ name }) => name);
      return [
        warning(
          say`Parley runs as root, where claude refuses full permissions: messages to ${names.join(', ')} get no answer`,
          say`Run Parley as another user, or set PARLEY_CHANNELS_PERMISSIONS=ask.`,
        ),
      ];
    },
  };
}

export const permissionQuestions: QuickCheck = {
  name: say`Permissions`,
  run: async ({ config: { claude } }) => {
    const { permissionMode } = claude;
    if (permissionMode === undefined || !isBypassing(permissionMode))
      return [ok(say`Claude Code asks before it acts`)];
    return [
      warning(
        say`claude.permissionMode is ${permissionMode}, so Claude Code acts for owners without asking; everyone else is asked`,
        say`Set it to default, and choose another mode only for the sessions that need it.`,
      ),
    ];
  },
};

/** Finds only missing programs; the doctor also starts them. */
export const toolPrograms: QuickCheck = {
  name: say`MCP servers`,
  run: async ({ config, environment }) =>
    Object.entries(config.mcpServers).flatMap(([name, { disabled, command, cwd, env }]) => {
      if (disabled || command === undefined) return [];
      const searchPath = env['PATH']?.reveal() ?? environment['PATH'];
      // A relative path depends on the folder that the server gets.
      const isKnown = isAbsolute(command) || cwd !== undefined || !command.includes('/');
      if (!isKnown || isProgram(command, searchPath, cwd)) return [ok(say`${name}: ${command}`)];
      return [
        warning(
          say`${name}: the program ${command} was not found`,
          say`Check mcpServers.${name} in the configuration.`,
        ),
      ];
    }),
};

export interface Remark {
  readonly check: string;
  readonly text: string;
}

/** What a person should fix soon, although the server starts. */
export async function startRemarks(
  examined: Parameters<QuickCheck['run']>[0],
  checks: readonly QuickCheck[] = [
    appSettings,
    password,
    apiKeys,
    secretsInFile,
    rootUser(),
    permissionQuestions,
    toolPrograms,
    disk,
  ],
): Promise<readonly Remark[]> {
  const found = await Promise.all(
    checks.map(async (check) => {
      // A check that fails must not stop the start; the doctor says why it failed.
      const findings = await check.run(examined).catch(() => []);
      return findings.flatMap((finding) =>
        finding.state === 'ok'
          ? []
          : [{ check: check.name, text: `${check.name}: ${finding.detail}.\n    ${finding.fix}` }],
      );
    }),
  );
  return found.flat();
}

/** Whether other machines can reach the server, directly or through a proxy. */
function isReachable({ host, publicHosts }: Config): boolean {
  return !isLoopback(host) || publicHosts.length > 0;
}

function holdsSecret(value: unknown): boolean {
  return typeof value === 'string' || secretsOf(value).some((secret) => secret !== '');
}

/** Whether every user can read it, judging by its mode and those of the folders above it. */
async function isReadByOthers(file: string): Promise<boolean> {
  if (process.platform === 'win32' || ((await stat(file)).mode & 0o004) === 0) return false;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
