// Passkeys: the public keys that people log in with.
import type { AccountStore, Passkey } from '../../domain/accounts.ts';
import type { Connection, Writes } from './connection.ts';
import { decodeList, decodeText, encode } from './json-column.ts';
import { type PasskeyRow, query } from './schema.ts';

type PasskeyStore = Pick<
  AccountStore,
  'passkeys' | 'findPasskey' | 'addPasskey' | 'renamePasskey' | 'usedPasskey' | 'removePasskey'
>;

export function passkeyStore(connection: Connection, { relaxed, durable }: Writes): PasskeyStore {
  return {
    async passkeys(person) {
      const own = query.selectFrom('passkeys').selectAll().where('person', '=', person);
      return connection.rows(own.orderBy('created_at')).map(toPasskey);
    },

    async findPasskey(id) {
      const row = connection.row(query.selectFrom('passkeys').selectAll().where('id', '=', id));
      return row && toPasskey(row);
    },

    addPasskey: (passkey) => durable(() => insertPasskey(connection, passkey)),

    renamePasskey: (person, id, name) =>
      durable(() => {
        const renamed = query.updateTable('passkeys').set({ name: encode(name) });
        return connection.change(renamed.where('id', '=', id).where('person', '=', person)) > 0;
      }),

    usedPasskey: (id, counter, at) =>
      relaxed(() => {
        const used = query.updateTable('passkeys').set({ counter, last_used_at: at }).where('id', '=', id);
        connection.change(used);
      }),

    removePasskey: (person, id) =>
      durable(() => {
        const removed = query.deleteFrom('passkeys').where('id', '=', id).where('person', '=', person);
        return connection.change(removed) > 0;
      }),
  };
}

/** Inside a write. */
export function insertPasskey(connection: Connection, passkey: Passkey): void {
  const row: PasskeyRow = {
    id: passkey.id,
    person: passkey.person,
    name: encode(passkey.name),
    public_key: passkey.publicKey,
    counter: passkey.counter,
    transports: encode(passkey.transports),
    host: passkey.host,
    created_at: passkey.createdAt,
    last_used_at: passkey.lastUsedAt ?? null,
  };
  connection.change(query.insertInto('passkeys').values(row));
}

function toPasskey(row: PasskeyRow): Passkey {
  const at = (column: string) => ({ table: 'passkeys', id: row.id, column });
  return {
    id: row.id,
    person: row.person,
    name: decodeText(row.name, at('name')),
    publicKey: row.public_key,
    counter: row.counter,
    transports: decodeList(row.transports, at('transports')),
    host: row.host,
    createdAt: row.created_at,
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
  };
}
