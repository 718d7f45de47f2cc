// Rewinds what the program's own tools wrote. The program doesn't record what its commands changed.
import type { Session as ProgramSession } from '@parley/claude-cli';
import { ParleyError, type Rewind } from '@parley/protocol';
import { z } from 'zod';

const Answer = z.object({ canRewind: z.boolean(), filesChanged: z.array(z.string()).optional() });

/** By default, the program doesn't record files. */
export const rewindVariables = { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true' };

const rewindMs = 30_000;

/** `unavailable` if this version of the program can't do it. */
export async function rewindFiles(process: ProgramSession, prompt: string, dryRun: boolean): Promise<Rewind> {
  let answer: unknown;
  try {
    answer = await process.rewindFiles(prompt, { dryRun, timeoutMs: rewindMs });
  } catch (cause) {
    throw new ParleyError('unavailable', 'This version of the claude program cannot rewind files.', {
      cause,
    });
  }
  const read = Answer.safeParse(answer);
  if (!read.success || !read.data.canRewind) return { possible: false, files: [] };
  return { possible: true, files: read.data.filesChanged ?? [] };
}
