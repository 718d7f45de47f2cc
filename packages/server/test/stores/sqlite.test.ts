import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { describeLastingStore, describeStore } from './conformance.ts';

describeStore('SQLite in memory', async () => ({
  store: await openSqliteStore({ file: ':memory:' }),
  cleanup: () => undefined,
}));

describeLastingStore('SQLite in a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-store-'));
  const file = join(folder, 'parley.db');
  return {
    store: await openSqliteStore({ file }),
    reopen: () => openSqliteStore({ file }),
    cleanup: () => rmSync(folder, { recursive: true, force: true }),
  };
});
