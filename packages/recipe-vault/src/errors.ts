// The errors of the recipe vault. Their messages are for people and models: what is wrong and what to do.
import type { z } from 'zod';

export type RecipeErrorCode = 'invalid' | 'not_found' | 'conflict' | 'unavailable';

export class RecipeError extends Error {
  readonly code: RecipeErrorCode;

  constructor(code: RecipeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RecipeError';
    this.code = code;
  }
}

const maxProblems = 5;

/** Everything that is wrong with an input, in one sentence. */
export function invalidInput(error: z.ZodError): RecipeError {
  const problems = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  const more = problems.length > maxProblems ? `; and ${problems.length - maxProblems} more` : '';
  return new RecipeError(
    'invalid',
    `The input is invalid: ${problems.slice(0, maxProblems).join('; ')}${more}. Correct it and try again.`,
  );
}
