// Accounts, passkeys, invitations, API keys and the audit log in SQLite.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Account, ApiKey, Invitation, Passkey } from '../../src/domain/accounts.ts';
import { openSqliteStore, type SqliteStore } from '../../src/stores/sqlite/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-accounts-'));
let files = 0;
let file: string;
let store: SqliteStore;
beforeEach(async () => {
  files += 1;
  file = join(folder, `${files}.db`);
  store = await openSqliteStore({ file });
});
afterEach(() => store.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const reopened = async () => {
  await store.close();
  store = await openSqliteStore({ file });
};

const petra: Account = {
  person: 'petra',
  role: 'owner',
  displayName: 'Petra Ünlü\0',
  passwordHash: '$argon2id$…',
  openId: { issuer: 'https://id.example', subject: 'a"b' },
  assistants: [],
  createdAt: 1,
};
const mia: Account = { person: 'mia', role: 'guest', assistants: ['kitchen'], createdAt: 2 };
const passkey: Passkey = {
  id: 'AAEC',
  person: 'petra',
  name: 'Laptop',
  publicKey: 'cHVibGlj',
  counter: 0,
  transports: ['internal'],
  host: 'parley.example',
  createdAt: 3,
};
const invitation: Invitation = {
  id: 'one',
  sha256: 'ab',
  person: 'mia',
  role: 'guest',
  assistants: ['kitchen'],
  createdBy: 'petra',
  createdAt: 4,
  expiresAt: 10,
};
const key: ApiKey = {
  id: 'key',
  label: 'Backup',
  sha256: 'cd',
  person: 'mia',
  assistants: ['kitchen'],
  readOnly: true,
  createdBy: 'petra',
  createdAt: 5,
  expiresAt: 50,
};

describe('the account store', () => {
  it('keeps everything about an account', async () => {
    await store.accounts.create(mia, {});
    await store.accounts.create(petra, { passkey });
    await reopened();
    expect(await store.accounts.list()).toEqual([petra, mia]);
    expect(await store.accounts.passkeys('petra')).toEqual([passkey]);
  });

  it('changes only what is given, and removes what is null', async () => {
    await store.accounts.create(mia, {});
    await store.accounts.change('mia', { displayName: 'Mia', passwordHash: 'x', disabledAt: 9 });
    await store.accounts.change('mia', { role: 'member', assistants: [], disabledAt: null });
    const changed = { person: 'mia', role: 'member', assistants: [], createdAt: 2 };
    expect(await store.accounts.list()).toEqual([{ ...changed, displayName: 'Mia', passwordHash: 'x' }]);
    await store.accounts.change('mia', { displayName: null, passwordHash: null });
    expect(await store.accounts.list()).toEqual([changed]);
    expect(await store.accounts.change('mallory', { role: 'owner' })).toBe(false);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['demoted', () => store.accounts.change('petra', { role: 'member' })],
    ['disabled', () => store.accounts.change('petra', { disabledAt: 9 })],
    ['removed', () => store.accounts.remove('petra')],
  ])('does not let the last owner be %s [team.role.last-owner]', async (_, work) => {
    await store.accounts.create(petra, { passkey });
    await store.accounts.create(mia, {});
    await expect(work()).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.accounts.list()).toEqual([petra, mia]);
    expect(await store.accounts.passkeys('petra')).toEqual([passkey]);
    await store.accounts.change('mia', { role: 'owner' });
    expect(await work()).toBe(true);
  });

  it('uses an invitation for one account only, and keeps it if that fails', async () => {
    await store.accounts.invite(invitation);
    await store.accounts.create(petra, {});
    const asPetra = store.accounts.create(petra, { invitation: 'one' });
    await expect(asPetra).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.accounts.invitations(5)).toEqual([invitation]);
    await store.accounts.create(mia, { invitation: 'one' });
    expect(await store.accounts.invitations(5)).toEqual([]);
    await store.accounts.remove('mia');
    const again = store.accounts.create(mia, { invitation: 'one' });
    await expect(again).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.accounts.list()).toEqual([petra]);
  });

  it('keeps one invitation per person, until it expires', async () => {
    await store.accounts.invite(invitation);
    await store.accounts.invite({ ...invitation, id: 'two', sha256: 'ef' });
    expect(await store.accounts.invitations(9)).toMatchObject([{ id: 'two' }]);
    expect(await store.accounts.invitations(10)).toEqual([]);
    expect(await store.accounts.removeInvitation('two')).toBe(true);
    expect(await store.accounts.removeInvitation('two')).toBe(false);
  });

  it('removes everything that an account can log in with', async () => {
    await store.accounts.create(petra, {});
    await store.accounts.create(mia, { passkey: { ...passkey, person: 'mia' } });
    await store.apiKeys.add(key);
    const times = { createdAt: 1, expiresAt: 9, seenAt: 1 };
    await store.logins.add({ id: 'own', kind: 'password', credential: 'x', person: 'mia', ...times }, 10);
    await store.logins.add({ id: 'all', kind: 'family', credential: 'y', person: 'mia', ...times }, 10);
    expect(await store.accounts.remove('mia')).toBe(true);
    expect(await store.accounts.remove('mia')).toBe(false);
    expect(await store.accounts.findPasskey(passkey.id)).toBeUndefined();
    expect(await store.apiKeys.list()).toEqual([]);
    expect(await store.logins.find('own')).toBeUndefined();
    expect(await store.logins.find('all')).toMatchObject({ person: 'mia' });
  });

  it('changes a passkey only for its person, and has each one once', async () => {
    await store.accounts.create(petra, { passkey });
    await store.accounts.create(mia, {});
    const stolen = store.accounts.addPasskey({ ...passkey, person: 'mia' });
    await expect(stolen).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.accounts.renamePasskey('mia', passkey.id, 'Mine')).toBe(false);
    expect(await store.accounts.removePasskey('mia', passkey.id)).toBe(false);
    expect(await store.accounts.renamePasskey('petra', passkey.id, 'Phone')).toBe(true);
    await store.accounts.usedPasskey(passkey.id, 7, 99);
    const used = { ...passkey, name: 'Phone', counter: 7, lastUsedAt: 99 };
    expect(await store.accounts.findPasskey(passkey.id)).toEqual(used);
    expect(await store.accounts.removePasskey('petra', passkey.id)).toBe(true);
    expect(await store.accounts.passkeys('petra')).toEqual([]);
  });
});

describe('the store of API keys', () => {
  it('keeps keys with their scope until they are removed', async () => {
    const plain: ApiKey = {
      id: 'a',
      label: 'All',
      sha256: 'ff',
      person: 'petra',
      readOnly: false,
      createdAt: 1,
    };
    await store.apiKeys.add(key);
    await store.apiKeys.add(plain);
    await store.apiKeys.used('key', 7);
    await reopened();
    expect(await store.apiKeys.list()).toEqual([plain, { ...key, lastUsedAt: 7 }]);
    expect(await store.apiKeys.remove('key')).toBe(true);
    expect(await store.apiKeys.remove('key')).toBe(false);
    expect(await store.apiKeys.list()).toEqual([plain]);
  });
});

describe('the store of logins', () => {
  const times = { createdAt: 1, expiresAt: 100, seenAt: 1 };

  it("separates the family's logins from those of people with accounts", async () => {
    await store.logins.add({ id: 'a', kind: 'family', credential: 'old', person: 'mia', ...times }, 10);
    await store.logins.add({ id: 'b', kind: 'passkey', credential: 'AAEC', person: 'mia', ...times }, 10);
    await store.logins.add({ id: 'c', kind: 'password', credential: 'own', person: 'mia', ...times }, 10);
    await store.logins.change('c', { seenAt: 5, device: 'Firefox on Linux' });
    const ids = async (of: 'family' | { person: string }) =>
      (await store.logins.list(of)).map(({ id, device }) => [id, device]);
    expect(await ids('family')).toEqual([['a', undefined]]);
    expect(await ids({ person: 'mia' })).toEqual([
      ['c', 'Firefox on Linux'],
      ['b', undefined],
    ]);
    expect(await store.logins.passwordHashes()).toEqual(['old']);
    await store.logins.removeOutdated(50, 'new');
    expect(await ids('family')).toEqual([]);
    expect(await ids({ person: 'mia' })).toHaveLength(2);
  });
});

describe('the audit log', () => {
  const add = (at: number, subject: string, fields: object = {}, most = 100) =>
    store.audit.add(at, { action: 'login', person: 'petra', subject, ...fields }, most);
  const found = async (query: object) =>
    (await store.audit.search({ limit: 100, ...query })).map(({ subject }) => subject);

  it('finds entries by text, person, action and time, the newest first, page by page', async () => {
    await add(1, 'Laptop "A"', { address: '192.0.2.1' });
    await add(2, 'Phone\0', { action: 'logout' });
    await add(3, 'Tablet', { person: undefined, detail: 'Wrong password' });
    expect(await found({})).toEqual(['Tablet', 'Phone\0', 'Laptop "A"']);
    expect(await found({ text: 'LAPTOP "' })).toEqual(['Laptop "A"']);
    expect(await found({ text: '192.0' })).toEqual(['Laptop "A"']);
    expect(await found({ text: 'wrong' })).toEqual(['Tablet']);
    expect(await found({ text: '%' })).toEqual([]);
    expect(await found({ person: 'petra', action: 'login' })).toEqual(['Laptop "A"']);
    expect(await found({ from: 2, until: 3 })).toEqual(['Phone\0']);
    const [newest] = await store.audit.search({ limit: 1 });
    expect(newest).toEqual({
      id: 3,
      at: 3,
      action: 'login',
      person: null,
      subject: 'Tablet',
      detail: 'Wrong password',
      address: null,
    });
    expect(await found({ before: newest?.id })).toEqual(['Phone\0', 'Laptop "A"']);
  });

  it('keeps the newest entries only [team.audit.bounded]', async () => {
    for (let at = 1; at <= 6; at += 1) await add(at, `${at}`, {}, 4);
    expect(await found({})).toEqual(['6', '5', '4', '3']);
  });
});

describe('the data version', () => {
  it('changes when another process writes, and only then', async () => {
    const before = await store.dataVersion();
    await store.accounts.create(petra, {});
    expect(await store.dataVersion()).toBe(before);
    const other = await openSqliteStore({ file });
    await other.accounts.change('petra', { displayName: 'P' });
    await other.close();
    expect(await store.dataVersion()).not.toBe(before);
  });
});
