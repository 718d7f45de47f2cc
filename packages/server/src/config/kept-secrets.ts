// The app never gets a secret, only a mark that says it is set. A value that comes back with the mark keeps the stored
// secret.

import { KeptSecret } from '@parley/protocol';
import { isRecord } from '../basics/is-record.ts';
import { valueAt } from './tree.ts';

/** The fields of an entry that say where its secrets are sent. */
const addresses: readonly (readonly string[])[] = [['url'], ['apiRoot']];

/** Returns the value with the stored secrets in place of the marks, or what is wrong. */
export function withKeptSecrets(
  value: unknown,
  stored: unknown,
): { readonly value: unknown } | { readonly wrong: string } {
  let kept = 0;
  let missing = 0;
  const replaced = (part: unknown, path: readonly PropertyKey[]): unknown => {
    if (KeptSecret.safeParse(part).success) {
      const secret = valueAt(stored, path);
      if (typeof secret === 'string') kept += 1;
      else missing += 1;
      return secret;
    }
    if (Array.isArray(part)) return part.map((one, index) => replaced(one, [...path, index]));
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, replaced(one, [...path, key])]));
  };
  const complete = replaced(value, []);
  if (missing > 0) return { wrong: 'there is no stored secret to keep' };
  // Otherwise somebody could have a secret sent to themselves.
  const isMoved = addresses.some((path) => valueAt(complete, path) !== valueAt(stored, path));
  if (kept > 0 && isMoved) return { wrong: 'the address is new, so the stored secret is not sent there' };
  return { value: complete };
}
