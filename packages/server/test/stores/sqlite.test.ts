import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import type { OpenedStore } from './conformance/opened-store.ts';
import { describePushAndLinks } from './conformance/push-and-links.ts';
import { describeAfterCrash, describeLastingStore, describeStore } from './conformance.ts';

describeStore('SQLite in memory', async () => ({
  store: await openSqliteStore({ file: ':memory:' }),
  cleanup: () => undefined,
}));

describePushAndLinks('SQLite', () => openSqliteStore({ file: ':memory:' }));
describeLastingStore('SQLite in a file', () => openIn(newFolder()));
describeAfterCrash('SQLite in a file', () => openIn(newFolder()));

async function openIn(folder: string): Promise<OpenedStore> {
  const file = join(folder, 'parley.db');
  return {
    store: await openSqliteStore({ file }),
    reopen: () => openSqliteStore({ file }),
    crash: () => {
      const left = newFolder();
      for (const name of ['parley.db', 'parley.db-wal']) {
        if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(left, name));
      }
      return openIn(left);
    },
    cleanup: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'parley-store-'));
}
