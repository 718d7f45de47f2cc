// `parley` as people type it: help, version, slips, and the settings in force.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { version } from '../../src/version.ts';
import { bundled, freshPlace } from './parley-process.ts';

const parley = await bundled(new URL('../../src/main.ts', import.meta.url));

describe('the command line', () => {
  it.each(['--help', '-h'])('explains itself with %s', async (flag) => {
    const { code, stdout, stderr } = await freshPlace(parley).run([flag]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of [
      'serve',
      'doctor',
      'config',
      'password',
      '--port',
      '--home',
      '--json',
      '--demo-channels',
    ])
      expect(stdout).toContain(word);
  });

  it('tells its version', async () => {
    expect(await freshPlace(parley).run(['--version'])).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
  });

  it.each([
    { args: ['srve'], says: 'There is no command “srve”. Did you mean serve?' },
    { args: ['frobnicate'], says: 'There is no command “frobnicate”. See parley --help.' },
    { args: ['serve', 'now'], says: '“now” is one word too many after serve. See parley --help.' },
    { args: ['--prot', '1'], says: 'There is no flag --prot. Did you mean --port?' },
    { args: ['-x'], says: 'There is no flag -x. See parley --help.' },
    { args: ['--port'], says: 'The flag --port needs a value.' },
    { args: ['--port='], says: 'The flag --port needs a value.' },
    { args: ['--port', '--host', '::1'], says: 'The flag --port needs a value.' },
    { args: ['doctor', '--json=yes'], says: 'The flag --json takes no value.' },
    { args: ['doctor', '--demo-channels'], says: 'The flag --demo-channels belongs to serve.' },
    { args: ['--json'], says: 'The flag --json belongs to doctor and config.' },
    { args: ['password', '--json'], says: 'The flag --json belongs to doctor and config.' },
    {
      args: ['password', 'hunter2'],
      says: '“hunter2” is one word too many after password. See parley --help.',
    },
  ])('answers $args with a sentence', async ({ args, says }) => {
    expect(await freshPlace(parley).run(args)).toEqual({ code: 2, stdout: '', stderr: `parley: ${says}\n` });
  });
});

describe('parley config', () => {
  it('shows each setting and where it came from', async () => {
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

  it('gives the same as JSON', async () => {
    const { code, stdout } = await freshPlace(parley).run(['config', '--json'], { PARLEY_PORT: '5' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      file: null,
      problems: [],
      settings: { port: { value: 5, origin: { from: 'environment', name: 'PARLEY_PORT' } } },
    });
  });

  it('hides secrets, whether they are right or wrong', async () => {
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

  it('shows the problems too, and fails', async () => {
    const { code, stderr } = await freshPlace(parley).run(['config', '--port', 'x']);
    expect(code).toBe(1);
    expect(stderr).toContain('port (--port): expected a number, found "x"');
  });
});
