// Opens the database for everything that Parley stores: PostgreSQL if one is configured, else the SQLite file.
import type { Recipes } from '@parley/recipe-vault';
import { databaseFile, machineFile } from '../config/files.ts';
import type { Config } from '../config/schema.ts';
import type { ActivityStore } from '../domain/activity.ts';
import type { AllowanceStore } from '../domain/allowances.ts';
import type { SettingsStore } from '../domain/app-settings.ts';
import type { ChatStore } from '../domain/chat-store.ts';
import type { Logger } from '../domain/logger.ts';
import type { MachineRecords } from '../domain/machines.ts';
import type { SealedStore } from '../domain/sealed.ts';
import type { ServerRegistry } from '../domain/server-registry.ts';
import type { SharedReservations } from '../domain/spending.ts';
import type { TriesStore } from '../domain/tries.ts';
import type { PostgresStore } from '../stores/postgres/store.ts';
import type { SqlStore } from '../stores/sql/store.ts';
import { openSqliteStore } from '../stores/sqlite/store.ts';
import { machineName } from './machine-name.ts';
import { sharedKey } from './shared-key.ts';

type StoreSettings = Pick<Config, 'dataDir' | 'database' | 'sessions' | 'clusterSecret'>;

export interface SharedStores {
  /** Who owns which session. */
  readonly registry: ServerRegistry;
  /** Which machine has which Claude Code session. */
  readonly machines: MachineRecords;
  /** Where servers leave notifications for each other. */
  readonly activities: ActivityStore;
}

export interface Stores {
  readonly store: SqlStore;
  /** Has accounts, rights and everything else that survives a restart even if sessions don't. */
  readonly durable: SqlStore;
  /** Which chat is in which session. A single server uses a file. */
  readonly chats?: ChatStore;
  /** A single server uses a file, which other programs may use, too. */
  readonly recipes?: Recipes;
  /** A single server keeps these in memory. */
  readonly allowances?: AllowanceStore;
  readonly tries?: TriesStore;
  /** A single server uses a file. */
  readonly settings?: SettingsStore;
  /** LinkedIn logins. A single server uses files. */
  readonly sealed?: SealedStore | undefined;
  /** Reservations for requests of one server. */
  readonly reservationsOf?: (server: string) => SharedReservations;
  /** How several servers find each other. Absent if there can be only one. */
  readonly shared?: SharedStores;
  close(): Promise<void>;
}

export async function openStores(config: StoreSettings, logger?: Logger): Promise<Stores> {
  const url = config.database.url?.reveal();
  if (url !== undefined) {
    let machine: Promise<string> | undefined;
    const shared = await openPostgres(url, () => {
      machine ??= machineName(machineFile(config));
      return machine;
    });
    const { createSharedStores } = await import('../stores/postgres/shared.ts');
    return {
      ...createSharedStores(shared, sharedKey(config, 'linkedin')),
      store: shared,
      durable: shared,
      close: () => shared.close(),
    };
  }
  const durable = await openDurable(config, logger);
  if (config.sessions.persist) return { store: durable, durable, close: () => durable.close() };
  const store = await openSqliteStore({ file: ':memory:' });
  return {
    store,
    durable,
    async close() {
      await store.close();
      await durable.close();
    },
  };
}

export async function openDurable(
  config: Pick<Config, 'dataDir' | 'database'>,
  logger?: Logger,
): Promise<SqlStore> {
  const url = config.database.url?.reveal();
  if (url !== undefined) return openPostgres(url);
  return openSqliteStore({ file: databaseFile(config), warn: (text) => logger?.warn({}, text) });
}

/** Loads the code on demand. */
async function openPostgres(url: string, machine?: () => Promise<string>): Promise<PostgresStore> {
  const { openPostgresStore } = await import('../stores/postgres/store.ts');
  return openPostgresStore({ url, ...(machine && { machine }) });
}
