// Valid settings that are unsafe or bound to fail, as the doctor and every start see them.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { QuickCheck } from '../../src/cli/checks/check.ts';
import {
  apiKeys,
  password,
  rootUser,
  secretsInFile,
  startRemarks,
  toolPrograms,
} from '../../src/cli/checks/safety.ts';
import { examine } from '../../src/cli/doctor.ts';
import { configFolder, type Given } from '../config/config-folder.ts';
import { freshPlace, parley } from './parley-process.ts';

const network = { PARLEY_HOST: '0.0.0.0' };
const statesOf = async (check: QuickCheck, given: Given) =>
  (await examine(configFolder().load(given), [check])).map(({ state }) => state);

describe('the family password', () => {
  it.each([
    [{ ...network, FAMILY_PASSWORD: '1' }, 'warning'],
    [{ ...network, FAMILY_PASSWORD: 'kitten7' }, 'warning'],
    [{ ...network, FAMILY_PASSWORD: '1234567890' }, 'warning'],
    [{ PARLEY_PUBLIC_HOSTS: 'parley.example', FAMILY_PASSWORD: '1' }, 'warning'],
    [{ FAMILY_PASSWORD: '1' }, 'ok'],
    [{ ...network, FAMILY_PASSWORD: 'apple crumble' }, 'ok'],
    [{}, 'ok'],
  ])('with %j: %s', async (environment, state) => {
    expect(await statesOf(password, { environment })).toEqual([state]);
  });
});

describe('API keys', () => {
  it.each([
    [{ ...network, PARLEY_API_KEY: 'short' }, 'warning'],
    [{ PARLEY_API_KEY: 'short' }, 'ok'],
    [{ ...network, PARLEY_API_KEY: 'long-enough-to-be-random' }, 'ok'],
  ])('with %j: %s', async (environment, state) => {
    expect(await statesOf(apiKeys, { environment })).toEqual([state]);
  });
});

describe('secrets in the configuration file', () => {
  const token = { channels: { telegram: { token: '123:planted' } } };

  it.each([
    [0o644, 0o755, token, 'warning'],
    [0o604, 0o755, { familyPasswordHash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA' }, 'warning'],
    [0o600, 0o755, token, 'ok'],
    [0o640, 0o755, token, 'ok'],
    // Others can't get to the file.
    [0o644, 0o700, token, 'ok'],
    [0o644, 0o755, { people: ['petra'] }, 'ok'],
  ])('in a file with mode %o in a folder with mode %o: %j is %s', async (file, folder, content, state) => {
    const place = configFolder();
    const loaded = place.load({ file: content });
    chmodSync(loaded.file ?? '', file);
    chmodSync(join(place.current, '..'), folder);
    const [finding] = await examine(loaded, [secretsInFile]);
    expect(finding?.state).toBe(state);
    expect(JSON.stringify(finding)).not.toContain('planted');
    const fix = state === 'warning' ? `chmod 600 '${loaded.file}'` : undefined;
    expect(finding && 'fix' in finding ? finding.fix : undefined).toBe(fix);
  });
});

describe('root', () => {
  const bot = {
    TELEGRAM_BOT_TOKEN: '123:planted',
    TELEGRAM_ALLOW_FROM: '1',
    PARLEY_CHANNELS_PERMISSIONS: 'full',
  };
  const real = { ANTHROPIC_API_KEY: 'planted' };
  const sandbox = { IS_SANDBOX: '1' };

  it.each([
    [0, { ...bot, ...real }, {}, 1],
    [1_000, { ...bot, ...real }, {}, 0],
    [0, { ...bot, ...real, PARLEY_CHANNELS_PERMISSIONS: 'ask' }, {}, 0],
    [0, { ...bot, ...real, PARLEY_CHANNELS_ENGINE: 'messages-api' }, {}, 0],
    [0, { ...bot, ...real, TELEGRAM_ENABLED: '0' }, {}, 0],
    [0, { ...bot, ...real }, sandbox, 0],
    // Demo mode runs the program in its own home, where root may skip permissions.
    [0, bot, {}, 0],
  ])('as user %i with %j and %j: %i warnings', async (uid, environment, host, warnings) => {
    const loaded = configFolder().load({ environment });
    const remarks = await startRemarks({ config: loaded.config, loaded, environment: host }, [rootUser(uid)]);
    const told = remarks.filter(({ text }) => text.includes('messages to telegram get no answer'));
    expect(told).toHaveLength(warnings);
    expect(remarks).toHaveLength(warnings);
  });
});

describe('the programs of MCP servers', () => {
  it('are looked up without being started', async () => {
    const place = configFolder();
    mkdirSync(join(place.user, 'bin'));
    writeFileSync(join(place.user, 'bin', 'tool'), 'this is not a program', { mode: 0o755 });
    const loaded = place.load({
      file: {
        mcpServers: {
          found: { command: 'tool' },
          path: { command: join(place.user, 'bin', 'tool') },
          gone: { command: 'no-such-tool' },
          moved: { command: '/no/such/tool' },
          off: { command: 'no-such-tool', disabled: true },
          far: { url: 'https://tools.example/mcp' },
        },
      },
    });
    const environment = { PATH: join(place.user, 'bin') };
    const remarks = await startRemarks({ config: loaded.config, loaded, environment }, [toolPrograms]);
    expect(remarks.map(({ text }) => text.split('\n')[0])).toEqual([
      'MCP servers: gone: the program no-such-tool was not found.',
      'MCP servers: moved: the program /no/such/tool was not found.',
    ]);
  });
});

describe('parley', () => {
  it('warns about them when it starts and in the doctor', async () => {
    const { user, serve, run } = freshPlace(parley);
    chmodSync(user, 0o755);
    const config = join(user, 'parley.config.json');
    const mcpServers = { gone: { command: 'no-such-tool' } };
    const claude = { permissionMode: 'bypassPermissions' };
    writeFileSync(config, JSON.stringify({ apiKey: 'planted-key', mcpServers, claude }), { mode: 0o644 });
    const env = { FAMILY_PASSWORD: '1', PARLEY_PUBLIC_HOSTS: 'parley.example' };

    const { program } = await serve(['--config', config], env);
    const { stderr, stdout } = await program.stop();
    const expected = [
      'API keys: others can reach Parley, and an API key is short enough to guess.',
      'Password: others can reach Parley, and the family password is easy to guess.',
      `Secrets: every user of this machine can read ${config}, which contains apiKey.`,
      'Permissions: claude.permissionMode is bypassPermissions, so Claude Code acts for owners without asking; everyone else is asked.',
      'MCP servers: gone: the program no-such-tool was not found.',
    ];
    for (const text of expected) {
      expect(stderr).toContain(`  ! ${text}\n`);
      expect(stdout).toContain(text);
    }
    expect(stderr + stdout).not.toContain('planted-key');

    const doctor = await run(['doctor', '--config', config, '--port', '0'], env);
    expect(doctor.code).toBe(0);
    for (const check of ['API keys', 'Password', 'Secrets', 'Permissions', 'MCP servers'])
      expect(doctor.stdout).toMatch(new RegExp(`^! ${check} `, 'm'));
    expect(doctor.stdout).toMatch(/\n\nParley can start, but look at the \d+ warnings above\.\n$/);
  });
});
