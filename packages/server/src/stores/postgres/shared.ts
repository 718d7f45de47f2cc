// What servers share besides the store: what a single server has in files or in memory.
import { createActivityStore } from './activities.ts';
import { createAllowanceStore } from './allowances.ts';
import { createMachineRecords } from './machines.ts';
import { createSharedRecipes } from './recipes.ts';
import { createReservations } from './reservations.ts';
import { createSealedStore } from './sealed.ts';
import { createServerRegistry } from './servers.ts';
import { createSettingsStore } from './settings.ts';
import type { PostgresStore } from './store.ts';
import { createTriesStore } from './tries.ts';

/** Without a key that all servers share, logins at other services stay in files. */
export function createSharedStores(store: PostgresStore, key: Buffer | undefined) {
  const { chats, database } = store;
  return {
    chats,
    recipes: createSharedRecipes(database),
    allowances: createAllowanceStore(database),
    tries: createTriesStore(database),
    settings: createSettingsStore(database),
    sealed: key && createSealedStore(database, key),
    reservationsOf: (server: string) => createReservations(database, server),
    shared: {
      registry: createServerRegistry(store),
      machines: createMachineRecords(store),
      activities: createActivityStore(store),
    },
  };
}
