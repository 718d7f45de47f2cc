// Does everybody exist whom the settings name?
import { namedPeople } from '../../config/named-people.ts';
import type { Config } from '../../config/schema.ts';
import type { AccountStore } from '../../domain/accounts.ts';
import { type Check, ok, warning } from './check.ts';
import { databasePlace } from './database.ts';

/** People with an account are in the database. */
export interface AccountsOnDisk {
  readonly accounts: Pick<AccountStore, 'list' | 'invitations'>;
  close(): Promise<void>;
}

export function people(openStore: (place: string) => Promise<AccountsOnDisk | undefined>): Check {
  return {
    name: 'People',
    run: async ({ config }) => {
      const others = await invited(config);
      if (!others) return [ok('checked after the next start, which changes the tables of the database')];
      const known = new Set([...config.people, ...others]);
      const strangers = namedPeople(config).filter(({ person }) => !known.has(person));
      if (strangers.length === 0) return [ok([...known].join(', '))];
      return strangers.map(({ key, person }) =>
        warning(
          `${key} names ${person}, who is not one of the people`,
          `Invite ${person} with parley people invite ${person}, or choose from: ${[...known].join(', ')}.`,
        ),
      );
    },
  };

  async function invited(config: Config): Promise<readonly string[] | undefined> {
    const place = await databasePlace(config);
    if (place === undefined) return [];
    const store = await openStore(place);
    if (!store) return undefined;
    try {
      const open = await store.accounts.invitations(Date.now());
      return [...(await store.accounts.list()), ...open].map(({ person }) => person);
    } finally {
      await store.close();
    }
  }
}
