// Ids that can be made again, so that a retry finds what the first attempt made.
import { createHash } from 'node:crypto';

/** A UUID that depends only on these texts. */
export function derivedId(...texts: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(texts)).digest('hex');
  // Version 8, which is for ids of one's own making.
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}
