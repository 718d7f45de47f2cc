// `parley serve` on a full disk.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshPlace, parley } from './parley-process.ts';

const env = {
  ANTHROPIC_API_KEY: 'planted-anthropic-key',
  // Nothing listens there.
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  PARLEY_API_KEY: 'planted-key',
  PARLEY_PEOPLE: 'anna',
};
const headers = {
  'X-API-Key': 'planted-key',
  'X-Notes-Person': 'anna',
  'Content-Type': 'application/json',
};

describe('on a full disk, parley serve', () => {
  it('shows what is stored, and says why it cannot answer [notes.session.full-disk-start]', async () => {
    const { serve, fillDisk } = freshPlace(parley);
    const first = await serve([], env);
    const created = await fetch(`${first.url}/api/sessions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ assistant: 'notes', title: 'Saffron' }),
    });
    expect(created.status).toBe(201);
    await first.program.stop();

    fillDisk();
    const { url, program } = await serve([], env);
    const list = await fetch(`${url}/api/sessions`, { headers });
    expect(await list.json()).toMatchObject({ sessions: [{ title: 'Saffron' }] });
    expect((await fetch(`${url}/api/sessions?q=saffron`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/api/usage`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/api/recipes`, { headers })).status).toBe(200);
    const body = JSON.stringify({ message: 'Hello' });
    const answer = await fetch(`${url}/api/claude/chat`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({
      success: false,
      message: expect.stringContaining('Nothing was written.'),
    });
    expect(await program.stop()).toMatchObject({ code: 0 });
  });

  it.each([
    ['without any data', ['parley.db', 'recipes.db', 'credentials.json']],
    ['without recipes', ['recipes.db']],
    ['without sessions', ['parley.db']],
  ])('prints one message and no stack if it cannot start %s', async (_, missing) => {
    const { user, serve, run, fillDisk } = freshPlace(parley);
    await (await serve([], env)).program.stop();
    for (const file of missing) rmSync(join(user, '.parley', file));
    fillDisk();
    const { code, stderr } = await run(['serve', '--port', '0'], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Parley did not start: .*\n$/);
    expect(stderr).toMatch(/disk/);
  });
});
