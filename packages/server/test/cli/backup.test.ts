// `parley backup` and `parley restore` as real processes, next to a server that is working.
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
  const refused = await run(['restore', file, '--home', home, '--replace'], demo);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('already using the data') });
  await first.program.stop();

  const other = join(user, 'other');
  expect(await run(['restore', file, '--home', other], demo)).toMatchObject({ code: 0, stderr: '' });
  const again = await run(['restore', file, '--home', other], demo);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--replace') });
  const second = await serve(['--home', other], demo);
  expect(await history(second.url, id)).toEqual(before);
  await second.program.stop();
});

it('say what they need', async () => {
  const { run } = freshPlace(parley);
  const unnamed = await run(['backup']);
  expect(unnamed).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Name one file.*Usage: parley backup/s),
  });
  const missing = await run(['restore', 'nowhere']);
  expect(missing).toMatchObject({ code: 1, stderr: 'parley: There is no file nowhere.\n' });
});
