// Devices that get notifications, and what people want to hear about. A device whose login is gone is not listed, and
// the next write removes it.
import type { PushLanguage, PushSettings } from '@parley/protocol';
import { sql } from 'kysely';
import type { PushStore } from '../../domain/push.ts';
import { decode, encode } from './json-column.ts';
import { query } from './schema.ts';
import { all, type Database, first, run } from './work.ts';

const withoutLogin = sql<boolean>`login_id NOT IN (SELECT id FROM logins)`;

export function createPushStore(database: Database): PushStore {
  return {
    key: (fresh) =>
      database.durable(function* () {
        const row = { id: 1, private_key: fresh };
        yield* run(
          query
            .insertInto('push_keys')
            .values(row)
            .onConflict((same) => same.column('id').doNothing()),
        );
        return (yield* first(query.selectFrom('push_keys').select('private_key')))?.private_key ?? fresh;
      }),

    put: ({ id, person, login, endpoint, p256dh, auth, language, createdAt }, most) =>
      database.durable(function* () {
        yield* run(query.deleteFrom('push_devices').where(withoutLogin));
        const row = { person, login_id: login, endpoint, p256dh, auth, language, created_at: createdAt };
        yield* run(
          query
            .insertInto('push_devices')
            .values({ id, ...row })
            .onConflict((same) => same.column('id').doUpdateSet(row)),
        );
        const own = query.selectFrom('push_devices').select('id').where('person', '=', person);
        const newest = own.orderBy('created_at', 'desc').limit(most);
        yield* run(
          query.deleteFrom('push_devices').where('person', '=', person).where('id', 'not in', newest),
        );
      }),

    async devices(person, now) {
      const devices = query
        .selectFrom('push_devices')
        .innerJoin('logins', (join) =>
          join
            .onRef('logins.id', '=', 'push_devices.login_id')
            .onRef('logins.person', '=', 'push_devices.person'),
        )
        .selectAll('push_devices')
        .where('push_devices.person', '=', person)
        .where('logins.expires_at', '>', now);
      return (await database.read(all(devices))).map(
        ({ login_id: login, created_at: createdAt, language, ...device }) => ({
          ...device,
          login,
          language: language as PushLanguage,
          createdAt,
        }),
      );
    },

    async remove(id) {
      await database.durable(() => run(query.deleteFrom('push_devices').where('id', '=', id)));
    },

    async settings(person) {
      const wanted = query.selectFrom('push_settings').select('settings').where('person', '=', person);
      const found = await database.read(first(wanted));
      const place = { table: 'push_settings', id: person, column: 'settings' };
      return found && (decode(found.settings, place) as PushSettings);
    },

    async putSettings(person, settings) {
      const row = { settings: encode(settings) };
      await database.durable(() =>
        run(
          query
            .insertInto('push_settings')
            .values({ person, ...row })
            .onConflict((same) => same.column('person').doUpdateSet(row)),
        ),
      );
    },
  };
}
