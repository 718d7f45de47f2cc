// Passkeys: the public keys that people log in with.
import type { AccountStore, Passkey } from '../../domain/accounts.ts';
import { decodeList, decodeText, encode } from './json-column.ts';
import { type PasskeyRow, query } from './schema.ts';
import { all, type Database, first, run, type Work } from './work.ts';

type PasskeyStore = Pick<
  AccountStore,
  'passkeys' | 'findPasskey' | 'addPasskey' | 'renamePasskey' | 'usedPasskey' | 'removePasskey'
>;

export function passkeyStore(database: Database): PasskeyStore {
  return {
    async passkeys(person) {
      const own = query.selectFrom('passkeys').selectAll().where('person', '=', person);
      return (await database.read(all(own.orderBy('created_at')))).map(toPasskey);
    },

    async findPasskey(id) {
      const found = await database.read(first(query.selectFrom('passkeys').selectAll().where('id', '=', id)));
      return found && toPasskey(found);
    },

    addPasskey: (passkey) => database.durable(() => insertPasskey(passkey)),

    async renamePasskey(person, id, name) {
      const renamed = query.updateTable('passkeys').set({ name: encode(name) });
      const own = renamed.where('id', '=', id).where('person', '=', person);
      return (await database.durable(() => run(own))) > 0;
    },

    async usedPasskey(id, counter, at) {
      const used = query.updateTable('passkeys').set({ counter, last_used_at: at }).where('id', '=', id);
      await database.relaxed(() => run(used));
    },

    async removePasskey(person, id) {
      const removed = query.deleteFrom('passkeys').where('id', '=', id).where('person', '=', person);
      return (await database.durable(() => run(removed))) > 0;
    },
  };
}

/** Call it in a transaction. */
export function* insertPasskey(passkey: Passkey): Work<void> {
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
  yield* run(query.insertInto('passkeys').values(row));
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
