// `parley backup` and `parley restore` as real processes, next to a server that is working.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshPlace, parley } from './parley-process.ts';

const demo = { PARLEY_DEMO: '1' };

it('back up a running server, and restore it elsewhere [team.ship.running]', async () => {
  const { user, serve, run } = freshPlace(parley);
  const home = join(user, 'home');
  const first = await serve(['--home', home], demo);
  const [, key = ''] = /X-API-Key: (\S+)'/.exec(first.program.stderr) ?? [];
  const headers = { 'X-API-Key': key, 'X-Notes-Person': 'sebastian', 'Content-Type': 'application/json' };
  const ask = async (url: string) => {
    const body = JSON.stringify({ message: 'What is on my shopping list?' });
    const response = await fetch(`${url}/api/claude/chat`, { method: 'POST', headers, body });
    return (await response.json()) as { session_id: string };
  };
  const history = async (url: string, id: string) =>
    (await fetch(`${url}/api/claude/history?session_id=${id}`, { headers })).json();
  const { session_id: id } = await ask(first.url);
  const before = await history(first.url, id);
  const file = join(user, 'backup.tar.gz');

  const writing = Promise.all(Array.from({ length: 20 }, () => ask(first.url)));
  const made = await run(['backup', file, '--home', home], demo);
  await writing;
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('It contains secrets.') });
  await first.program.stop();

  const other = join(user, 'other');
  expect(await run(['restore', file, '--home', other], demo)).toMatchObject({ code: 0, stderr: '' });
  const again = await run(['restore', file, '--home', other], demo);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--replace') });
  const second = await serve(['--home', other], demo);
  expect(await history(second.url, id)).toEqual(before);
  await second.program.stop();
});

it('bring back a home while its server runs [team.ship.restore-running]', async () => {
  const { user, serve, run } = freshPlace(parley);
  const home = join(user, 'home');
  const { url, program } = await serve(['--home', home], demo);
  const [, key = ''] = /X-API-Key: (\S+)'/.exec(program.stderr) ?? [];
  const headers = { 'X-API-Key': key, 'X-Notes-Person': 'sebastian', 'Content-Type': 'application/json' };
  const ask = async (message: string) => {
    const body = JSON.stringify({ message });
    const response = await fetch(`${url}/api/claude/chat`, { method: 'POST', headers, body });
    return (await response.json()) as { session_id: string };
  };
  const history = async (id: string) =>
    (await fetch(`${url}/api/claude/history?session_id=${id}`, { headers })).json();
  const kept = await ask('What is on my shopping list?');
  const before = await history(kept.session_id);
  const file = join(user, 'backup.tar.gz');
  expect(await run(['backup', file, '--home', home], demo)).toMatchObject({ code: 0 });
  const lost = await ask('List my notes');

  const unasked = await run(['restore', file, '--home', home], demo);
  expect(unasked).toMatchObject({ code: 1, stderr: expect.stringContaining('--replace') });
  writeFileSync(join(user, 'damaged'), 'no backup');
  const damaged = await run(['restore', join(user, 'damaged'), '--home', home, '--replace'], demo);
  expect(damaged).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed.') });
  expect(await history(lost.session_id)).toMatchObject({ success: true });

  const restored = await run(['restore', file, '--home', home, '--replace'], demo);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  const [, aside = ''] = /What was there before is in (\S+)\.\n/.exec(restored.stdout) ?? [];
  expect(existsSync(join(aside, 'parley.db'))).toBe(true);
  expect(await history(kept.session_id)).toEqual(before);
  expect(await history(lost.session_id)).toMatchObject({ success: false });
  await program.stop();
});

it('say what they need', async () => {
  const { run, user } = freshPlace(parley);
  const empty = await run(['backup', join(user, 'backup.tar.gz'), '--home', user]);
  expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('There is nothing in') });
  const unnamed = await run(['backup']);
  expect(unnamed).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Name one file.*Usage: parley backup/s),
  });
  const missing = await run(['restore', 'nowhere']);
  expect(missing).toMatchObject({ code: 1, stderr: 'parley: There is no file nowhere.\n' });
});
