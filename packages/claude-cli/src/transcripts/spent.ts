// Reads what a conversation has cost so far. The program notes it in the transcript whenever it exits, and a process
// that resumes or forks the conversation continues counting from the last note.
import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import type { ClaudeOptions } from '../flags/options.ts';
import { parseFrame } from '../frames/frame.ts';
import { linesBackward } from './file-blocks.ts';
import { findTranscript, isSessionId, projectFolderName, projectsRoot, sessionIdOf } from './location.ts';
import { openReal } from './real-file.ts';

const noteType = Buffer.from('"cost-state"');

/** In US dollars; 0 when the program has not noted anything. Rejects as `fs` does when the file does not exist. */
export async function readSpentUsd(transcript: string, signal?: AbortSignal): Promise<number> {
  const sessionId = sessionIdOf(basename(transcript));
  const file = await openReal(transcript);
  try {
    const { size } = await file.stat();
    for await (const lines of linesBackward(file, { end: size, signal })) {
      for (const { bytes } of lines) {
        const noted = bytes?.includes(noteType) ? noteIn(bytes, sessionId) : undefined;
        if (noted !== undefined) return noted;
      }
    }
    return 0;
  } finally {
    await file.close();
  }
}

/** Ignores notes of other sessions, which a copied transcript may contain, just like the program. */
function noteIn(line: Buffer, sessionId: string | undefined): number | undefined {
  const frame = parseFrame(line);
  if (!frame || frame.sessionId !== sessionId) return undefined;
  const { type, totalCostUSD } = frame.body as { type?: unknown; totalCostUSD?: unknown };
  return type === 'cost-state' && typeof totalCostUSD === 'number' ? totalCostUSD : undefined;
}

/** Where a process runs. */
interface Place {
  readonly workingDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * What the conversation cost before a process starts with these options. The program's totals start there, so the first
 * turn costs what it adds. Infinity if unknown: then the first turn counts as free rather than twice. Never rejects.
 */
export async function spentBefore(options: ClaudeOptions, place: Place): Promise<number> {
  const { resume, continue: continues, from_pr: pr } = options;
  if (resume === undefined && continues !== true && pr === undefined) return 0;
  try {
    const file = await transcriptOf(options, place);
    return file === undefined ? Number.POSITIVE_INFINITY : await readSpentUsd(file, place.signal);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

async function transcriptOf(
  { resume, continue: continues }: ClaudeOptions,
  { environment, workingDir }: Place,
): Promise<string | undefined> {
  const home = environment['HOME'] ?? environment['USERPROFILE'] ?? homedir();
  const root = await realpath(projectsRoot(home, environment['CLAUDE_CONFIG_DIR']));
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
