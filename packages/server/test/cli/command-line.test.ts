// `parley` as people type it: help, version, mistakes, and the effective settings.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { version } from '../../src/version.ts';
import { freshPlace, parley } from './parley-process.ts';

describe('the command line', () => {
  it.each(['--help', '-h'])('shows its usage with %s', async (flag) => {
    const { code, stdout, stderr } = await freshPlace(parley).run([flag]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of [
      'serve',
      'doctor',
      'config',
      'password',
      'people',
      'keys',
      'audit',
      '--port',
      '--home',
      '--json',
      '--demo-channels',
    ])
      expect(stdout).toContain(word);
  });

  it('prints its version', async () => {
    expect(await freshPlace(parley).run(['--version'])).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
  });

  it.each([
    { args: ['srve'], says: 'Unknown command “srve”. Did you mean serve?' },
    { args: ['frobnicate'], says: 'Unknown command “frobnicate”. See parley --help.' },
    { args: ['serve', 'now'], says: 'Unexpected argument “now” after serve. See parley --help.' },
    { args: ['--prot', '1'], says: 'Unknown flag --prot. Did you mean --port?' },
    { args: ['-x'], says: 'Unknown flag -x. See parley --help.' },
    { args: ['--port'], says: 'The flag --port needs a value.' },
    { args: ['--port='], says: 'The flag --port needs a value.' },
    { args: ['--port', '--host', '::1'], says: 'The flag --port needs a value.' },
    { args: ['doctor', '--json=yes'], says: 'The flag --json takes no value.' },
    { args: ['doctor', '--demo-channels'], says: 'The flag --demo-channels only works with serve.' },
    { args: ['--json'], says: 'The flag --json only works with doctor, config, people, keys and audit.' },
    {
      args: ['password', '--json'],
      says: 'The flag --json only works with doctor, config, people, keys and audit.',
    },
    { args: ['serve', '--role', 'owner'], says: 'The flag --role only works with people.' },
    {
      args: ['password', 'hunter2'],
      says: 'Unexpected argument “hunter2” after password. See parley --help.',
    },
  ])('explains what is wrong with $args', async ({ args, says }) => {
    expect(await freshPlace(parley).run(args)).toEqual({ code: 2, stdout: '', stderr: `parley: ${says}\n` });
  });
});

describe('parley config', () => {
  it('shows each setting and where it comes from', async () => {
    const { user, run } = freshPlace(parley);
    writeFileSync(join(user, 'parley.config.json'), '{"model": "some-model"}');
    const { code, stdout } = await run(['config', '--port', '1'], { PARLEY_PEOPLE: 'anna' });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^port +1 +--port$/m);
    expect(stdout).toMatch(/^people +\["anna"\] +PARLEY_PEOPLE$/m);
    expect(stdout).toMatch(/^model +some-model +\S+parley\.config\.json$/m);
    expect(stdout).toMatch(/^vaultRoot +\S+demo\/notes +demo mode$/m);
    expect(stdout).toMatch(/^host +127\.0\.0\.1 +default$/m);
    // Line breaks in a value do not break the table.
    expect(stdout).toMatch(/^summaryPrompt\.template +\S.*\{\{message\}\} +default$/m);
  });

  it('shows what comes from the app, and what of it is ignored [team.settings.origins]', async () => {
    const { user, run } = freshPlace(parley);
    const home = join(user, '.parley', 'demo');
    mkdirSync(home, { recursive: true });
    const stored = {
      model: 'app-model',
      'log.level': 'loud',
      'mcpServers.mail': { command: 'mail', env: { KEY: 'planted-secret' } },
    };
    const settings = Object.entries(stored).map(([key, value]) => [key, { value, revision: 1 }]);
    writeFileSync(
      join(home, 'settings.json'),
      JSON.stringify({ version: 1, revision: 1, settings: Object.fromEntries(settings) }),
    );
    writeFileSync(join(user, 'parley.config.json'), '{"mcpServers": {"files": {"command": "files"}}}');
    const [table, json, doctor] = await Promise.all([
      run(['config']),
      run(['config', '--json']),
      run(['doctor']),
    ]);
    expect(table.code).toBe(0);
    expect(table.stdout).toMatch(/^model +app-model +app$/m);
    expect(table.stdout).toMatch(/^mcpServers\.mail +\{"command":"mail".* app$/m);
    expect(table.stdout).toMatch(/^mcpServers\.files +\{"command":"files".* \S+parley\.config\.json$/m);
    expect(table.stdout).toContain('! Not used: log.level (app): expected one of debug, info');
    expect(JSON.parse(json.stdout)).toMatchObject({
      ignored: [{ key: 'log.level' }],
      settings: { 'mcpServers.mail': { origin: { from: 'app', name: join(home, 'settings.json') } } },
    });
    expect(doctor.stdout).toMatch(/^! App settings +not used: log\.level: expected one of/m);
    expect(JSON.stringify([table, json, doctor])).not.toContain('planted');
  });

  it('prints the same as JSON', async () => {
    const { code, stdout } = await freshPlace(parley).run(['config', '--json'], { PARLEY_PORT: '5' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      file: null,
      problems: [],
      ignored: [],
      settings: { port: { value: 5, origin: { from: 'environment', name: 'PARLEY_PORT' } } },
    });
  });

  it('hides secrets, valid or not', async () => {
    const { user, run } = freshPlace(parley);
    const file = join(user, 'parley.config.json');
    const secrets = { PARLEY_API_KEY: 'planted-1', ANTHROPIC_API_KEY: 'planted-2' };
    writeFileSync(file, '{"apiKeys": [{"key": "planted-3"}]}');
    const right = await Promise.all([run(['config'], secrets), run(['config', '--json'], secrets)]);
    writeFileSync(file, '{"apiKeys": [{"key": ["planted-3"]}], "apiKye": "planted-4"}');
    const wrong = await Promise.all([run(['config'], secrets), run(['config', '--json'], secrets)]);
    expect([...right, ...wrong].map(({ code }) => code)).toEqual([0, 0, 1, 1]);
    const text = JSON.stringify([right, wrong]);
    expect(text).not.toContain('planted');
    expect(text).toContain('[redacted]');
  });

  it('shows problems and fails', async () => {
    const { code, stderr } = await freshPlace(parley).run(['config', '--port', 'x']);
    expect(code).toBe(1);
    expect(stderr).toContain('port (--port): expected a number, found "x"');
  });
});
