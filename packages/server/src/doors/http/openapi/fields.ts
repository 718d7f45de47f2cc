// Fields that many routes share, with the error messages for bad input.
import { FileAttachment } from '@parley/protocol';
import { z } from 'zod';
import { attachmentLimits } from '../../../content/check-file.ts';

export const longestId = 200;

/** The path of a route with one id. */
export const params = z.object({ id: z.string().max(longestId) });

export const person = z
  .string('`person` must be a string.')
  .optional()
  .describe('The person this is for, unless the header X-Notes-Person names one.');

/** Sent with a message. */
export const files = z
  .array(z.object(FileAttachment.shape))
  .max(attachmentLimits.files, `At most ${attachmentLimits.files} files go with one message.`)
  .optional()
  .describe(
    'PDFs of at most 100 pages and text files, as base64 without a data URL prefix. Claude Code takes any file: it goes to the work folder.',
  );

/** Headers of requests that send a message. */
export const PromptHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'The Idempotency-Key must be 1 to 200 visible characters.')
    .optional()
    .describe(
      'Makes the request idempotent: a retry with the same key gets the answer of the first try, and a different message with it is refused. On the chat routes, a retry runs the message again after a temporary failure before any tool had run.',
    ),
});

/** Page size of a list. */
export function pageLimit(most: number, usual: number) {
  return z.coerce.number(`must be a number from 1 to ${most}`).int().min(1).max(most).default(usual);
}

export function mustBeString(field: string): string {
  return `\`${field}\` must be a string.`;
}

/** Routes that a specification defines ignore unknown fields, because older clients send their own. Ours refuse them. */
export function bodyOf(fields: string) {
  return (issue: { readonly code?: string; readonly keys?: unknown }) =>
    issue.code === 'unrecognized_keys'
      ? `Unknown field: ${String(issue.keys)}. Known fields are ${fields}.`
      : `The body must be a JSON object with ${fields}.`;
}

export const flag = (meaning: string) =>
  z
    .enum(['true', 'false', '1', '0'], 'must be `true` or `false`')
    .optional()
    .transform((value) => value === 'true' || value === '1')
    .describe(meaning);

/** How a list is limited by what the person has marked. */
export const markFilter = {
  pinned: flag('Lists only what you pinned.'),
  archived: flag('Lists only what you archived, which other lists leave out.'),
  tag: z.string().max(40).optional().describe('Lists only what has this tag.'),
};
