// `parley keys` and `parley audit` on the database of a server that may be running.
import { join } from 'node:path';
import type { ApiKeyInfo, AuditEntry } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { freshPlace, parley } from './parley-process.ts';

function place() {
  const { user, run, serve } = freshPlace(parley);
  return {
    demo: join(user, 'demo'),
    serve: () => serve(['--home', user], {}),
    command: (...words: string[]) => run([...words, '--home', user]),
  };
}

describe('parley keys', { timeout: 240_000 }, () => {
  it('creates keys that a running server accepts, lists and revokes them [team.cli.keys]', async () => {
    const { demo, serve, command } = place();
    const { url } = await serve();
    const statusWith = async (key: string, method = 'GET') =>
      (await fetch(`${url}/api/sessions`, { method, headers: { 'x-api-key': key } })).status;
    const made = await command('keys', 'create', 'the', 'shop', '--person', 'petra', '--read-only');
    expect(made).toMatchObject({ code: 0, stderr: `parley: this is the data of the demo, in ${demo}\n` });
    const [secret = '', , about] = made.stdout.split('\n');
    expect(about).toBe('This is the key “the shop”, for petra; read-only. It is shown only once.');
    await expect.poll(() => statusWith(secret)).toBe(200);
    expect(await statusWith(secret, 'POST')).toBe(403);

    const { stdout } = await command('keys', 'list', '--json');
    const [key] = JSON.parse(stdout) as ApiKeyInfo[];
    expect(key).toMatchObject({ label: 'the shop', for: 'petra', readOnly: true, createdBy: null });
    expect(key?.id).toMatch(/^[0-9a-f]{18}$/);
    expect((await command('keys')).stdout).toBe(`${key?.id}  the shop  (for petra; read-only)\n`);
    expect((await command('keys', 'revoke', key?.id ?? '')).stdout).toContain('Revoked the key “the shop”.');
    await expect.poll(() => statusWith(secret)).toBe(401);

    const audit = async (...words: string[]) =>
      JSON.parse((await command('audit', 'list', '--json', ...words)).stdout) as AuditEntry[];
    expect((await audit('--text', 'shop')).map(({ action }) => action)).toEqual([
      'key.revoked',
      'key.created',
    ]);
    expect(await audit('--action', 'key.created', '--until', '2020-01-01')).toEqual([]);
    const lines = (await command('audit', 'export', '--action', 'key.created')).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as AuditEntry)).toMatchObject([
      { action: 'key.created', person: null, subject: 'the shop', detail: 'for petra; read-only' },
    ]);
    expect((await command('audit', '--limit', '1')).stdout).toMatch(
      /^\d{4}-\d\d-\d\dT\S+ {2}- {2}key\.revoked {2}the shop, for petra; read-only\n$/,
    );
  });

  it.each([
    [['keys', 'create', '--person', 'petra'], 'Give the key a label.'],
    [['keys', 'create', 'x'], 'Use --person to say who the key acts for. Choose from: sebastian, petra.'],
    [['keys', 'create', 'x', '--person', 'mia'], 'There is no mia here. Choose from: sebastian, petra.'],
    [
      ['keys', 'create', 'x', '--person', 'petra', '--until', 'soon'],
      '--until must be a day such as 2027-01-31',
    ],
    [['keys', 'create', 'x', '--person', 'petra', '--until', '2020-01-01'], 'must be in the future'],
    [
      ['keys', 'create', 'x', '--person', 'petra', '--assistants', 'cook'],
      'Choose from: notes, kitchen, claude-code.',
    ],
    [['keys', 'revoke', 'nothing'], 'There is no such key. parley keys list shows the ids.'],
    [['keys', 'creat', 'x'], 'Unknown command “keys creat”. Did you mean create?'],
    [['audit', 'list', '--action', 'key.made'], 'There is no action key.made. '],
    [['audit', 'list', '--limit', 'all'], '--limit must be a number from 1 to 10000, not “all”.'],
    [['audit', 'list', '--role', 'owner'], 'The flag --role only works with people.'],
    [['people', 'list', '--until', '2020-01-01'], 'The flag --until only works with keys and audit.'],
  ])('explains what is wrong with %j [team.cli.keys]', async (words, says) => {
    const { code, stdout, stderr } = await place().command(...words);
    expect([code === 0, stdout]).toEqual([false, '']);
    expect(stderr).toContain(says);
  });

  it.each(['keys', 'audit'])('shows the help of %s', async (word) => {
    const { code, stdout } = await place().command(word, '--help');
    expect([code, stdout.split('\n')[0]]).toEqual([0, `Usage: parley ${word} <command>`]);
  });
});
