// A command without the API key of the server uses the same data as the server.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../src/cli/doctor.ts';
import { freshPlace, parley } from './parley-process.ts';

/** Nothing answers there, and nothing in these tests asks. */
const withKey = { ANTHROPIC_API_KEY: 'planted-key', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };

describe('a command without the API key of the server', { timeout: 240_000 }, () => {
  it('talks about the server that runs in the home [ops.commands.data]', async () => {
    const { user, serve, run } = freshPlace(parley);
    const { program } = await serve([], withKey);
    expect(await run(['people', 'invite', 'mia'])).toMatchObject({ code: 0, stderr: '' });
    expect((await run(['people'])).stdout).toMatch(/^me +owner +family password\nmia +member +invited\n$/);
    expect(await run(['log-level', 'debug'])).toMatchObject({ code: 0, stderr: '' });
    const doctor = await run(['doctor', '--json', '--port', '0']);
    const { checks } = JSON.parse(doctor.stdout) as { checks: readonly Result[] };
    expect(checks).toContainEqual({
      check: 'Database',
      state: 'ok',
      detail: join(user, '.parley', 'parley.db'),
    });
    expect(checks).toContainEqual({
      check: 'Model',
      state: 'warning',
      detail: 'the API key of the server was not checked, because this command does not have it',
      fix: expect.stringContaining('Set ANTHROPIC_API_KEY'),
    });
    const support = await run(['support', '--to', 'report.json']);
    expect(support.stdout).toMatch(/^Wrote \S+report\.json\. Read it before you send it to anyone\.\n$/);
    const backup = await run(['backup', 'backup.tar.gz']);
    expect(backup.stdout).toContain(`it is not in the home: ${join(user, 'notes')}\n`);
    expect(existsSync(join(user, '.parley', 'demo'))).toBe(false);

    // Without a server, the home still has data.
    await program.stop();
    expect((await run(['people'])).stdout).toContain('mia');
    // Somebody can still ask for the demo.
    const asked = await run(['people'], { PARLEY_DEMO: '1' });
    expect(asked.stdout).not.toContain('mia');
    expect(asked.stderr).toBe(note(user));
  });

  it("says so when the data is the demo's [ops.commands.data]", async () => {
    const { user, serve, run } = freshPlace(parley);
    const { program } = await serve();
    // The key would lead to the home, but the server is a demo.
    for (const environment of [{}, withKey])
      expect(await run(['people'], environment)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^sebastian /),
        stderr: note(user),
      });
    expect(await run(['log-level'])).toMatchObject({ code: 0, stderr: note(user) });

    await program.stop();
    expect((await run(['people'])).stdout).toMatch(/^sebastian /);
    // The first start with a key uses the home.
    expect(await run(['people'], withKey)).toMatchObject({
      stdout: expect.stringMatching(/^me /),
      stderr: '',
    });
  });

  it('prefers the home if a demo runs next to the server [ops.commands.data]', async () => {
    const { serve, run } = freshPlace(parley);
    await serve([], withKey);
    await serve();
    expect((await run(['people'])).stdout).toMatch(/^me /);
  });
});

function note(user: string): string {
  return `parley: this is the data of the demo, in ${join(user, '.parley', 'demo')}\n`;
}
