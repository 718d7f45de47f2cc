// Describes the responses of a route: its own, and those of the policy that runs before it.
import { ErrorBody } from '@parley/protocol';
import { z } from 'zod';

export function answers<Good extends z.ZodType>(good: Good, bad: z.ZodType) {
  const refused = bad === ErrorBody ? bad : z.union([bad, ErrorBody]);
  return {
    200: answer('Done.', 'application/json', good),
    401: answer('No valid credentials.', 'application/json', ErrorBody),
    '4xx': answer(
      'Refused by the route, or (with `error`) by the policy before it.',
      'application/json',
      refused,
    ),
    '5xx': answer('Failed.', 'application/json', refused),
  };
}

/** For routes that succeed without a body. */
export const nothing = { ...answers(z.unknown(), ErrorBody), 204: z.null().describe('Done.') };

export function answer<Schema extends z.ZodType>(description: string, type: string, schema: Schema) {
  return { description, content: { [type]: { schema } } };
}
