// The one error type of Parley. Each wire has one table that maps its codes to statuses.
import { z } from 'zod';

export const ErrorCode = z.enum([
  'invalid',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'not_resumable',
  'in_terminal',
  'too_large',
  'rate_limited',
  /** A budget is used up. */
  'over_budget',
  /** The person's share of the storage is used up. */
  'storage_full',
  'busy',
  'lagged',
  /** The session has another owner now: ask there. */
  'moved',
  'unavailable',
  'internal',
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** The shape of an error on every wire that isn't older than Parley. */
export const ErrorBody = z.object({
  error: z.object({ code: ErrorCode, message: z.string() }),
  /** Repeats the message if a request was refused before its route: clients of the notes assistant read it here. */
  detail: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

declare const isSentence: unique symbol;
/** A sentence, or a part of one, that the app can say in another language. */
export type Sentence = string & { readonly [isSentence]: true };

/**
 * Marks a sentence, or a part of one, for people, so that `npm run messages` finds it and the app can say it in another
 * language. The messages of errors need no mark.
 */
export function say(texts: TemplateStringsArray, ...values: readonly (string | number)[]): Sentence {
  return texts.reduce((said, text, at) => `${said}${values[at - 1] ?? ''}${text}`) as Sentence;
}

/** A failure that a person may read: the message says what happened and what to do. */
export class ParleyError extends Error {
  readonly code: ErrorCode;
  /** How long to wait before trying again, where it is known. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options?: ErrorOptions & { readonly retryAfterSeconds?: number | undefined },
  ) {
    super(message, options);
    this.name = 'ParleyError';
    this.code = code;
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }

  /** Wraps anything thrown. The message of another error is only for the log, so it stays in `cause`. */
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
