// Describes the responses of a route: its own, and those of the policy that runs before it.
import { ErrorBody } from '@parley/protocol';
import { z } from 'zod';

export function responses<Good extends z.ZodType>(good: Good, bad: z.ZodType) {
  const refused = bad === ErrorBody ? bad : z.union([bad, ErrorBody]);
  return {
    200: response('Done.', 'application/json', good),
    401: response('No valid credentials.', 'application/json', ErrorBody),
    '4xx': response(
      'Refused by the route, or (with `error`) by the policy before it.',
      'application/json',
      refused,
    ),
    '5xx': response('Failed.', 'application/json', refused),
  };
}

/** For routes that succeed without a body. */
export const noContent = { ...responses(z.unknown(), ErrorBody), 204: z.null().describe('Done.') };

export function response<Schema extends z.ZodType>(description: string, type: string, schema: Schema) {
  return { description, content: { [type]: { schema } } };
}
