// Fields that many routes have, and the sentences that a client gets when it sends something else.
import { z } from 'zod';

export const longestId = 200;

export const person = z
  .string('`person` must be a string.')
  .optional()
  .describe('For whom, unless the header X-Notes-Person says so.');

/** Of requests that send a message. */
export const ChatHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'The Idempotency-Key must be 1 to 200 visible characters.')
    .optional()
    .describe(
      'The same key never sends a message twice: a retry gets the answer of the first try, and another message is refused.',
    ),
});

/** How many entries a page of a list has. */
export function pageLimit(most: number, usual: number) {
  return z.coerce.number(`must be a number from 1 to ${most}`).int().min(1).max(most).default(usual);
}

export function mustBeString(field: string): string {
  return `\`${field}\` must be a string.`;
}

export function bodyOf(fields: string) {
  return (issue: { readonly code?: string; readonly keys?: unknown }) =>
    issue.code === 'unrecognized_keys'
      ? `Unknown field: ${String(issue.keys)}. Known fields are ${fields}.`
      : `The body must be a JSON object with ${fields}.`;
}
