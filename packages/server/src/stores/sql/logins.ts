// Logins: one row per browser that is logged in, and one per browser that ever was.
import type { Login, LoginStore } from '../../domain/logins.ts';
import { decodeText, encode } from './json-column.ts';
import { type LoginRow, query } from './schema.ts';
import { all, type Database, first, run } from './work.ts';

export function createLoginStore(database: Database): LoginStore {
  return {
    add: (login, most) =>
      database.relaxed(function* () {
        yield* run(query.insertInto('logins').values(toRow(login)));
        const newest = query.selectFrom('logins').select('id').orderBy('created_at', 'desc').limit(most);
        yield* run(query.deleteFrom('logins').where('id', 'not in', newest));
      }),

    async find(id) {
      const found = await database.read(first(query.selectFrom('logins').selectAll().where('id', '=', id)));
      return found && toLogin(found);
    },

    async list(of) {
      const logins = query.selectFrom('logins').selectAll().orderBy('seen_at', 'desc');
      const wanted =
        of === 'family'
          ? logins.where('kind', '=', 'family')
          : logins.where('kind', '<>', 'family').where('person', '=', of.person);
      return (await database.read(all(wanted))).map(toLogin);
    },

    async change(id, { person, origin, expiresAt, credential, device, seenAt }) {
      const row: Partial<LoginRow> = {};
      if (credential !== undefined) row.password_hash = credential;
      if (device !== undefined) row.device = encode(device);
      if (seenAt !== undefined) row.seen_at = seenAt;
      if (person !== undefined) row.person = person;
      if (origin !== undefined) row.origin = origin;
      if (expiresAt !== undefined) row.expires_at = expiresAt;
      if (Object.keys(row).length === 0) return;
      await database.relaxed(() => run(query.updateTable('logins').set(row).where('id', '=', id)));
    },

    async remove(id) {
      await database.durable(() => run(query.deleteFrom('logins').where('id', '=', id)));
    },

    async removeOutdated(now, passwordHash) {
      const outdated = query
        .deleteFrom('logins')
        .where((where) =>
          where.or([
            where('expires_at', '<=', now),
            where.and([where('kind', '=', 'family'), where('password_hash', '<>', passwordHash)]),
          ]),
        );
      await database.relaxed(() => run(outdated));
    },

    async passwordHashes() {
      const hashes = query
        .selectFrom('logins')
        .select('password_hash')
        .where('kind', '=', 'family')
        .distinct();
      const found = await database.read(all(hashes));
      return found.map((row) => row.password_hash);
    },

    rememberBrowser: (id, now, most) =>
      database.relaxed(function* () {
        const seen = query.insertInto('known_browsers').values({ id, seen_at: now });
        yield* run(seen.onConflict((same) => same.column('id').doUpdateSet({ seen_at: now })));
        const newest = query.selectFrom('known_browsers').select('id').orderBy('seen_at', 'desc').limit(most);
        yield* run(query.deleteFrom('known_browsers').where('id', 'not in', newest));
      }),

    async knowsBrowser(id) {
      const known = query.selectFrom('known_browsers').select('id').where('id', '=', id);
      return (await database.read(first(known))) !== undefined;
    },
  };
}

function toRow(login: Login): LoginRow {
  return {
    id: login.id,
    kind: login.kind,
    password_hash: login.credential,
    person: login.person ?? null,
    origin: login.origin ?? null,
    device: login.device === undefined ? null : encode(login.device),
    created_at: login.createdAt,
    expires_at: login.expiresAt,
    seen_at: login.seenAt,
  };
}

function toLogin(row: LoginRow): Login {
  return {
    id: row.id,
    kind: row.kind,
    credential: row.password_hash,
    ...(row.person !== null && { person: row.person }),
    ...(row.origin !== null && { origin: row.origin }),
    ...(row.device !== null && {
      device: decodeText(row.device, { table: 'logins', id: row.id, column: 'device' }),
    }),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    seenAt: row.seen_at,
  };
}
