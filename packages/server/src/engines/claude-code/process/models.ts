// The models that the program offers, as it tells them when it comes up. Which there are depends on its version and
// on the account that it is logged in to.
import { isDeepStrictEqual } from 'node:util';
import type { Session as ProgramSession } from '@parley/claude-cli';
import { CodeModel } from '@parley/protocol';

type Models = readonly CodeModel[] | undefined;

/** The very list that was known before unless the process told another one. What is no model to us is left out. */
export function modelsOf({ introduction }: Pick<ProgramSession, 'introduction'>, known: Models): Models {
  const told = introduction?.['models'];
  if (!Array.isArray(told)) return known;
  const models = told.flatMap((one) => CodeModel.safeParse(one).data ?? []);
  return models.length === 0 || isDeepStrictEqual(models, known) ? known : models;
}
