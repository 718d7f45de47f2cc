// Logins: one row per browser that has logged in with the family password.
import type { Login, LoginStore } from '../../domain/logins.ts';
import type { Connection, Writes } from './connection.ts';
import { type LoginRow, query } from './schema.ts';

export function createLoginStore(connection: Connection, { relaxed, durable }: Writes): LoginStore {
  return {
    add: (login, most) =>
      relaxed(() => {
        connection.change(query.insertInto('logins').values(toRow(login)));
        const newest = query.selectFrom('logins').select('id').orderBy('created_at', 'desc').limit(most);
        connection.change(query.deleteFrom('logins').where('id', 'not in', newest));
      }),

    async find(id) {
      const row = connection.row(query.selectFrom('logins').selectAll().where('id', '=', id));
      return row && toLogin(row);
    },

    change(id, { person, expiresAt }) {
      const row: Partial<LoginRow> = {};
      if (person !== undefined) row.person = person;
      if (expiresAt !== undefined) row.expires_at = expiresAt;
      return relaxed(() => {
        if (Object.keys(row).length === 0) return;
        connection.change(query.updateTable('logins').set(row).where('id', '=', id));
      });
    },

    remove: (id) => durable(() => void connection.change(query.deleteFrom('logins').where('id', '=', id))),

    removeOutdated(now, passwordHash) {
      const outdated = query
        .deleteFrom('logins')
        .where((where) =>
          where.or([where('expires_at', '<=', now), where('password_hash', '<>', passwordHash)]),
        );
      return relaxed(() => void connection.change(outdated));
    },

    async passwordHashes() {
      const hashes = query.selectFrom('logins').select('password_hash').distinct();
      return connection.rows(hashes).map((row) => row.password_hash);
    },
  };
}

function toRow({ id, passwordHash, person, createdAt, expiresAt }: Login): LoginRow {
  return {
    id,
    password_hash: passwordHash,
    person: person ?? null,
    created_at: createdAt,
    expires_at: expiresAt,
  };
}

function toLogin(row: LoginRow): Login {
  return {
    id: row.id,
    passwordHash: row.password_hash,
    ...(row.person !== null && { person: row.person }),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
