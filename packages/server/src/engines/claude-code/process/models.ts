// The models and commands that the program offers, as it reports them when it starts. They depend on its version, on the
// account that it is logged in to, and on the folder.
import { isDeepStrictEqual } from 'node:util';
import type { Session as ProgramSession } from '@parley/claude-cli';
import { CodeModel } from '@parley/protocol';
import { z } from 'zod';

type Models = readonly CodeModel[] | undefined;

/** The same list as before unless the process reports another one. Entries that are not models are left out. */
export function modelsOf({ introduction }: Pick<ProgramSession, 'introduction'>, known: Models): Models {
  const reported = introduction?.['models'];
  if (!Array.isArray(reported)) return known;
  const models = reported.flatMap((one) => CodeModel.safeParse(one).data ?? []);
  return models.length === 0 || isDeepStrictEqual(models, known) ? known : models;
}

const ReportedCommand = z.object({ name: z.string(), aliases: z.array(z.string()).default([]) });

/** The names of the commands, including their aliases. */
export function commandsOf({ introduction }: Pick<ProgramSession, 'introduction'>): readonly string[] {
  const reported = introduction?.['commands'];
  const commands = Array.isArray(reported) ? reported.map((one) => ReportedCommand.safeParse(one).data) : [];
  return commands.flatMap((command) => (command ? [command.name, ...command.aliases] : []));
}
