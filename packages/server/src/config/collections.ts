// Collections: settings with named entries that are set one by one, so that the app can add to those in the file.

const collections: ReadonlySet<string> = new Set(['mcpServers', 'assistants', 'channels.more']);

import { isRecord } from '../basics/is-record.ts';
export function isCollection(key: string): boolean {
  return collections.has(key);
}

/** The entries of a collection by name. Those without a name are left out; the schema refuses them. */
export function entriesOf(value: unknown): ReadonlyMap<string, unknown> {
  if (isRecord(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value)) return new Map();
  return new Map(
    value.flatMap((entry) =>
      isRecord(entry) && typeof entry['name'] === 'string' ? [[entry['name'], entry] as const] : [],
    ),
  );
}
