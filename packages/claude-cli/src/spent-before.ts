// What a conversation cost before the process that goes on with it: the program's totals begin there, and the cost
// of a first turn is what it adds to that.
import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ClaudeOptions } from './flags/options.ts';
import {
  findTranscript,
  isSessionId,
  projectFolderName,
  projectsRoot,
  sessionIdOf,
} from './transcripts/location.ts';
import { readSpentUsd } from './transcripts/spent.ts';

export interface Whereabouts {
  readonly workingDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Infinity when it cannot be known: then the first turn counts as nothing rather than twice. Never rejects. */
export async function spentBefore(options: ClaudeOptions, where: Whereabouts): Promise<number> {
  const { resume, continue: continues, from_pr: pr } = options;
  if (resume === undefined && continues !== true && pr === undefined) return 0;
  try {
    const file = await transcriptOf(options, where);
    return file === undefined ? Number.POSITIVE_INFINITY : await readSpentUsd(file, where.signal);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

async function transcriptOf(
  { resume, continue: continues }: ClaudeOptions,
  { environment, workingDir }: Whereabouts,
): Promise<string | undefined> {
  const home = environment['HOME'] ?? environment['USERPROFILE'] ?? homedir();
  const root = projectsRoot(home, environment['CLAUDE_CONFIG_DIR']);
  if (resume !== undefined) return isSessionId(resume) ? findTranscript(root, resume) : undefined;
  if (continues !== true) return undefined;
  return newestTranscript(join(root, projectFolderName(await realpath(workingDir))));
}

async function newestTranscript(folder: string): Promise<string | undefined> {
  const names = (await readdir(folder)).filter((name) => sessionIdOf(name) !== undefined);
  const files = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      return { file, mtimeMs: (await stat(file)).mtimeMs };
    }),
  );
  return files.sort((a, b) => b.mtimeMs - a.mtimeMs)[0]?.file;
}
