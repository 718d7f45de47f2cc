// Does the database open, and does it take writes?
import { stat } from 'node:fs/promises';
import { ParleyError } from '@parley/protocol';
import { databaseFile } from '../../config/files.ts';
import type { Config } from '../../config/schema.ts';
import type { Store } from '../../domain/store.ts';
import { broken, type Check, ok } from './check.ts';

/** Only PostgreSQL has `tryWriting`: its disk may be on another machine, where the disk check doesn't look. */
interface CheckedStore extends Store {
  tryWriting?(): Promise<void>;
}

/** If there is no database yet, checks one in memory, so that nothing is left behind. `openStore` leaves old tables alone. */
export function database(openStore: (place: string) => Promise<CheckedStore | undefined>): Check {
  return {
    name: 'Database',
    run: async ({ config }) => {
      const file = databaseFile(config);
      const { persist } = config.sessions;
      const place = persist ? await databasePlace(config) : undefined;
      const hasServer = config.database.url !== undefined;
      try {
        const store = await openStore(place ?? ':memory:');
        if (!store) return [ok(`${hasServer ? 'PostgreSQL' : file}: the next start changes its tables`)];
        try {
          await store.unfinishedTurns();
          await store.tryWriting?.();
        } finally {
          await store.close();
        }
      } catch (error) {
        const what = hasServer ? 'the PostgreSQL database' : file;
        const detail = error instanceof ParleyError ? error.message : `${what} can't be opened`;
        const fix = hasServer
          ? 'Check database.url, or PARLEY_DATABASE_URL, and the machine that PostgreSQL runs on.'
          : `Restore ${file} from a backup, or move it away to start over.`;
        return [broken(detail, fix)];
      }
      if (hasServer) return [ok('PostgreSQL')];
      if (!persist) return [ok('in memory: sessions are lost when the server stops')];
      return [ok(place ?? `${file} is created on the first start`)];
    },
  };
}

/** The URL or the file of the database; undefined if there is none yet. */
export async function databasePlace(config: Config): Promise<string | undefined> {
  const file = databaseFile(config);
  if (config.database.url) return config.database.url.reveal();
  return stat(file).then(
    () => file,
    () => undefined,
  );
}
