import { openPostgresStore } from '../../src/stores/postgres/store.ts';
import { describePushAndLinks } from './conformance/push-and-links.ts';
import { describeLastingStore } from './conformance.ts';
import { usePostgres } from './postgres-database.ts';

const postgres = usePostgres();

describePushAndLinks('PostgreSQL', async () => openPostgresStore({ url: await postgres().createDatabase() }));

describeLastingStore('PostgreSQL', async () => {
  const url = await postgres().createDatabase();
  return {
    store: await openPostgresStore({ url }),
    reopen: () => openPostgresStore({ url }),
    cleanup: () => undefined,
  };
});
