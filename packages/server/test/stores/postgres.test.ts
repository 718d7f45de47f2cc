import { runSql } from '@parley/stand-ins/postgres';
import { openPostgresStore } from '../../src/stores/postgres/store.ts';
import { describePushAndLinks } from './conformance/push-and-links.ts';
import { describeLastingStore } from './conformance.ts';
import { usePostgres } from './postgres-database.ts';

const postgres = usePostgres();

describePushAndLinks('PostgreSQL', async () => openPostgresStore({ url: await postgres().createDatabase() }));

/** Emptied after a test and used again: a new database is 300 files and all tables, which takes longer than most tests. */
const emptyDatabases: string[] = [];

describeLastingStore('PostgreSQL', async () => {
  const url = emptyDatabases.pop() ?? (await postgres().createDatabase());
  return {
    store: await openPostgresStore({ url }),
    reopen: () => openPostgresStore({ url }),
    async cleanup() {
      await runSql(url, removeEverything);
      emptyDatabases.push(url);
    },
  };
});

/** Leaves what a new database has. The role keeps triggers from counting what is removed. */
const removeEverything = `
  SET session_replication_role = replica;
  DO $$ DECLARE one RECORD; BEGIN
    FOR one IN SELECT oid::regclass AS name, relkind FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S')
        AND relname NOT IN ('parley_migrations', 'access_changes')
    LOOP
      IF one.relkind = 'S' THEN EXECUTE format('ALTER SEQUENCE %s RESTART', one.name);
      ELSE EXECUTE format('DELETE FROM %s', one.name);
      END IF;
    END LOOP;
  END $$;
  UPDATE access_changes SET version = 1`;
