// The models that the program offers, as it reports them when it starts. They depend on its version and on the account
// that it is logged in to.
import { isDeepStrictEqual } from 'node:util';
import type { Session as ProgramSession } from '@parley/claude-cli';
import { CodeModel } from '@parley/protocol';

type Models = readonly CodeModel[] | undefined;

/** The same list as before unless the process reports another one. Entries that are not models are left out. */
export function modelsOf({ introduction }: Pick<ProgramSession, 'introduction'>, known: Models): Models {
  const reported = introduction?.['models'];
  if (!Array.isArray(reported)) return known;
  const models = reported.flatMap((one) => CodeModel.safeParse(one).data ?? []);
  return models.length === 0 || isDeepStrictEqual(models, known) ? known : models;
}
