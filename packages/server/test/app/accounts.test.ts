// Accounts in the whole server: what another process changes, and what survives a restart.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningApp } from '../../src/app.ts';
import type { Account } from '../../src/domain/accounts.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { withServer } from '../support/whole-server.ts';

const key = 'a-key-for-this-test';
const petra: Account = { person: 'petra', role: 'owner', assistants: [], createdAt: 1 };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-accounts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('accounts in the whole server', () => {
  it('follow what another process changes [team.account.outside-changes]', async () => {
    await withApp({}, async (app) => {
      expect(await peopleOf(app)).toEqual(['sebastian', 'petra']);
      const other = await openSqliteStore({ file: join(folder, 'demo', 'parley.db') });
      await other.accounts.create(petra, {});
      await expect.poll(() => peopleOf(app)).toEqual(['sebastian']);
      await other.close();
    });
  });

  it('survive a restart with sessions in memory [team.account.survives-restart]', async () => {
    const memory = { sessions: { persist: false } };
    await withApp(memory, async () => undefined);
    const other = await openSqliteStore({ file: join(folder, 'demo', 'parley.db') });
    await other.accounts.create(petra, {});
    await other.close();
    await withApp(memory, async (app) => expect(await peopleOf(app)).toEqual(['sebastian']));
  });
});

async function peopleOf(app: RunningApp): Promise<readonly string[]> {
  const me = await fetch(`${app.url}/api/me`, { headers: { 'x-api-key': key } });
  return ((await me.json()) as { people: string[] }).people;
}

function withApp<T>(settings: object, use: (app: RunningApp) => Promise<T>): Promise<T> {
  const environment = { PARLEY_DEMO: '1', PARLEY_API_KEY: key };
  return withServer(folder, { environment, settings }, use);
}
