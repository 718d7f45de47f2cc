// One error type for all of Parley. Each edge has one table from its codes to statuses.
import { z } from 'zod';

export const ErrorCode = z.enum([
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'too_large',
  'rate_limited',
  'busy',
  'lagged',
  'unavailable',
  'internal',
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** The shape of an error on every wire that has no older promise to keep. */
export const ErrorBody = z.object({
  error: z.object({ code: ErrorCode, message: z.string() }),
  /** The message again, in refusals before any route: clients of the notes assistant read it here. */
  detail: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** A failure that a person may read: the message says what happened and what to do. */
export class ParleyError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ParleyError';
    this.code = code;
  }

  /** Wraps what was thrown. Foreign errors keep their text in `cause`, for the log alone. */
  static from(thrown: unknown): ParleyError {
    if (thrown instanceof ParleyError) return thrown;
    return new ParleyError(
      'internal',
      'Something went wrong inside Parley. The server log has the details.',
      {
        cause: thrown,
      },
    );
  }
}
