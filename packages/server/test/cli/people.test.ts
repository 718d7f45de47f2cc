// `parley people` on the database of a server that may be running.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { freshPlace, parley } from './parley-process.ts';

describe('parley people', { timeout: 240_000 }, () => {
  it('invites, lists, changes roles and removes [team.cli.people]', async () => {
    const { user, run } = freshPlace(parley);
    const people = (...words: string[]) => run(['people', ...words, '--home', user]);
    const invited = await people('invite', 'mia', '--role', 'guest', '--assistants', 'kitchen');
    const note = `parley: this is the data of the demo, in ${join(user, 'demo')}\n`;
    expect(invited).toMatchObject({ code: 0, stderr: note });
    expect(invited.stdout).toMatch(
      /^http:\/\/localhost:4710\/invite#[\w-]{43}\n\nSend this link to mia only\./,
    );
    expect((await people('list')).stdout).toMatch(/petra +owner +family password\nmia +guest +invited/);

    const store = await openSqliteStore({ file: join(user, 'demo', 'parley.db') });
    await store.accounts.create({ person: 'petra', role: 'owner', assistants: [], createdAt: 1 }, {});
    await store.accounts.create({ person: 'mia', role: 'guest', assistants: ['kitchen'], createdAt: 2 }, {});
    await store.close();
    expect(await people('role', 'mia', 'member')).toEqual({
      code: 0,
      stdout: 'mia is now a member.\n',
      stderr: note,
    });
    expect(JSON.parse((await people('list', '--json')).stdout)).toEqual([
      { person: 'sebastian', role: 'member', state: 'family password' },
      { person: 'petra', role: 'owner', state: 'account' },
      { person: 'mia', role: 'member', state: 'account' },
    ]);
    expect((await people('remove', 'mia')).stdout).toBe(
      'Removed the account of mia. Notes and sessions stay.\n',
    );
    expect(await people('remove', 'petra')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('last owner'),
    });
    const after = await openSqliteStore({ file: join(user, 'demo', 'parley.db') });
    const entries = await after.audit.search({ limit: 10 });
    await after.close();
    expect(entries.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
      'account.removed mia',
      'role.changed mia',
      'invitation.created mia',
    ]);
  });

  it.each([
    [['invite', 'Mia!'], "“Mia!” can't be a name"],
    [['invite', 'mia', '--role', 'boss'], 'The role must be one of: owner, member, guest.'],
    [['invite', 'mia', '--role', 'guest'], 'A guest needs --assistants. Choose from: notes, kitchen.'],
    [['role', 'sebastian', 'member'], 'This person has no account.'],
    [['invit', 'mia'], 'Unknown command “people invit”. Did you mean invite?'],
  ])('explains what is wrong with %j', async (words, says) => {
    const { user, run } = freshPlace(parley);
    const { code, stdout, stderr } = await run(['people', ...words, '--home', user]);
    expect([code === 0, stdout]).toEqual([false, '']);
    expect(stderr).toContain(says);
  });
});
