// API keys made at run time. Only their hashes are stored.
import type { ApiKey, ApiKeyStore } from '../../domain/accounts.ts';
import { decodeList, decodeText, encode } from './json-column.ts';
import { type ApiKeyRow, query } from './schema.ts';
import { all, type Database, run } from './work.ts';

export function createApiKeyStore(database: Database): ApiKeyStore {
  return {
    async list() {
      const keys = query.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id');
      return (await database.read(all(keys))).map(toKey);
    },

    async add(key) {
      await database.durable(() => run(query.insertInto('api_keys').values(toRow(key))));
    },

    async used(id, at) {
      const used = query.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', id);
      await database.relaxed(() => run(used));
    },

    async remove(id) {
      return (await database.durable(() => run(query.deleteFrom('api_keys').where('id', '=', id)))) > 0;
    },
  };
}

function toRow(key: ApiKey): ApiKeyRow {
  return {
    id: key.id,
    label: encode(key.label),
    sha256: key.sha256,
    person: key.person,
    assistants: key.assistants === undefined ? null : encode(key.assistants),
    read_only: key.readOnly ? 1 : 0,
    created_by: key.createdBy ?? null,
    created_at: key.createdAt,
    expires_at: key.expiresAt ?? null,
    last_used_at: key.lastUsedAt ?? null,
  };
}

function toKey(row: ApiKeyRow): ApiKey {
  const { id, assistants, created_by, expires_at, last_used_at } = row;
  const at = (column: string) => ({ table: 'api_keys', id, column });
  return {
    id,
    label: decodeText(row.label, at('label')),
    sha256: row.sha256,
    person: row.person,
    ...(assistants !== null && { assistants: decodeList(assistants, at('assistants')) }),
    readOnly: row.read_only === 1,
    ...(created_by !== null && { createdBy: created_by }),
    createdAt: row.created_at,
    ...(expires_at !== null && { expiresAt: expires_at }),
    ...(last_used_at !== null && { lastUsedAt: last_used_at }),
  };
}
