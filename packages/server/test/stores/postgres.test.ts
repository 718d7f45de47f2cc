import { openPostgresStore } from '../../src/stores/postgres/store.ts';
import { describeLastingStore } from './conformance.ts';
import { usePostgres } from './postgres-database.ts';

const postgres = usePostgres();

describeLastingStore('PostgreSQL', async () => {
  const url = await postgres().createDatabase();
  return {
    store: await openPostgresStore({ url }),
    reopen: () => openPostgresStore({ url }),
    cleanup: () => undefined,
  };
});
