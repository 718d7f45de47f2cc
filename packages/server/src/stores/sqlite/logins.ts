// Logins: one row per browser that has logged in with the family password.
import type { Login } from '../../domain/logins.ts';
import type { Connection } from './connection.ts';
import { type LoginRow, query } from './schema.ts';

export function insertLogin(connection: Connection, login: Login, most: number): void {
  connection.change(query.insertInto('logins').values(toRow(login)));
  const newest = query.selectFrom('logins').select('id').orderBy('created_at', 'desc').limit(most);
  connection.change(query.deleteFrom('logins').where('id', 'not in', newest));
}

export function findLogin(connection: Connection, id: string): Login | undefined {
  const row = connection.row(query.selectFrom('logins').selectAll().where('id', '=', id));
  return row && toLogin(row);
}

export function changeLogin(
  connection: Connection,
  id: string,
  { person, expiresAt }: Partial<Pick<Login, 'person' | 'expiresAt'>>,
): void {
  const row: Partial<LoginRow> = {};
  if (person !== undefined) row.person = person;
  if (expiresAt !== undefined) row.expires_at = expiresAt;
  if (Object.keys(row).length === 0) return;
  connection.change(query.updateTable('logins').set(row).where('id', '=', id));
}

export function removeLogin(connection: Connection, id: string): void {
  connection.change(query.deleteFrom('logins').where('id', '=', id));
}

export function removeOutdatedLogins(connection: Connection, now: number, passwordHash: string): void {
  connection.change(
    query
      .deleteFrom('logins')
      .where((where) =>
        where.or([where('expires_at', '<=', now), where('password_hash', '<>', passwordHash)]),
      ),
  );
}

export function loginPasswordHashes(connection: Connection): readonly string[] {
  return connection
    .rows(query.selectFrom('logins').select('password_hash').distinct())
    .map((row) => row.password_hash);
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
