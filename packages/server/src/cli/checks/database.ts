// Does the database open, and is it brought to the newest version?
import { stat } from 'node:fs/promises';
import { ParleyError } from '@parley/protocol';
import { databaseFile } from '../../config/files.ts';
import type { Store } from '../../domain/store.ts';
import { broken, type Check, ok } from './check.ts';

/** A database that is not there yet is tried in memory, so that looking leaves nothing behind. */
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
        const detail = error instanceof ParleyError ? error.message : `${file} cannot be opened`;
        return [broken(detail, `Restore ${file} from a backup, or move it away to begin anew.`)];
      }
      if (!config.sessions.persist) return [ok('in memory: sessions are gone when the server stops')];
      return [ok(there ? file : `${file} is made at the first start`)];
    },
  };
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
