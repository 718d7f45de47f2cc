// Does the database open, and can it be migrated to the newest version?
import { stat } from 'node:fs/promises';
import { ParleyError } from '@parley/protocol';
import { databaseFile } from '../../config/files.ts';
import type { Store } from '../../domain/store.ts';
import { broken, type Check, ok } from './check.ts';

/** Checks a missing database in memory, so that the check leaves nothing behind. */
export function database(openStore: (file: string) => Promise<Store>): Check {
  return {
    name: 'Database',
    run: async ({ config }) => {
      const file = databaseFile(config);
      const there = config.sessions.persist && (await exists(file));
      try {
        const store = await openStore(there ? file : ':memory:');
        await store.unfinishedTurns();
        await store.close();
      } catch (error) {
        const detail = error instanceof ParleyError ? error.message : `${file} can't be opened`;
        return [broken(detail, `Restore ${file} from a backup, or move it away to start over.`)];
      }
      if (!config.sessions.persist) return [ok('in memory: sessions are lost when the server stops')];
      return [ok(there ? file : `${file} is created on the first start`)];
    },
  };
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
