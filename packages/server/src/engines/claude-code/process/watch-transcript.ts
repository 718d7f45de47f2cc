// Notices when the program doesn't write a turn to its transcript, for example on a full disk. The program itself says
// nothing.
import { promptText } from '@parley/protocol';
import { pause } from '../../../basics/backoff.ts';
import type { EngineTurn } from '../../../domain/engine.ts';
import { pastTranscript } from './past-transcript.ts';

/** The program writes a moment after it has answered. */
const patienceMs = 2_000;
const lookAgainMs = 50;

/** Call the returned function after the turn: false if nothing was written. */
export function watchTranscript(
  projects: string,
  workingDir: string,
  { session: { id }, prompt, signal }: EngineTurn,
): () => Promise<boolean> {
  const version = async () => (await pastTranscript(projects, workingDir, id))?.version;
  // Not awaited: the program takes longer to write its first line.
  const before = version();
  return async () => {
    // A command may write nothing, or write to another conversation.
    if (signal.aborted || promptText(prompt).startsWith('/')) return true;
    for (let waited = 0; waited <= patienceMs; waited += lookAgainMs) {
      const now = await version();
      if (now !== undefined && now !== (await before)) return true;
      await pause(lookAgainMs, undefined);
    }
    return false;
  };
}
