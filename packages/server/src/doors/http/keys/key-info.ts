// How a key is shown: in lists, in logs and on the command line. Never its secret.
import { type ApiKeyInfo, type Sentence, say } from '@parley/protocol';
import type { ApiKey } from '../../../domain/accounts.ts';
import type { NewApiKey } from '../policy/run-time-keys.ts';

/** What a key may do, in a few words, for logs and lists. */
export function describeKey({ person, assistants, readOnly, expiresAt }: NewApiKey): Sentence {
  const parts = [say`for ${person}`];
  if (assistants) parts.push(say`only ${assistants.join(', ')}`);
  if (readOnly) parts.push(say`read-only`);
  const end = expiresAt !== undefined && new Date(expiresAt).toISOString();
  if (end) parts.push(say`until ${end}`);
  return say`${parts.join('; ')}`;
}

export function toKeyInfo(key: ApiKey): ApiKeyInfo {
  return {
    id: key.id,
    label: key.label,
    for: key.person,
    assistants: key.assistants ? [...key.assistants] : null,
    readOnly: key.readOnly,
    createdBy: key.createdBy ?? null,
    createdAt: key.createdAt,
    expiresAt: key.expiresAt ?? null,
    lastUsedAt: key.lastUsedAt ?? null,
  };
}
