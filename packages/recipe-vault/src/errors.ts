// The failures of the recipe vault. Their messages are for people and models alike: what is wrong, what to do.
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

const mostProblems = 5;

/** All that is wrong with an input, in one sentence. */
export function invalidInput(error: z.ZodError): RecipeError {
  const problems = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  const more = problems.length > mostProblems ? `; and ${problems.length - mostProblems} more` : '';
  return new RecipeError(
    'invalid',
    `The input does not fit: ${problems.slice(0, mostProblems).join('; ')}${more}. Correct it and try again.`,
  );
}
