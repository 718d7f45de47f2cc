// What a conversation has cost so far, as the program notes it in the transcript whenever it exits. A process that
// resumes or forks the conversation counts on from the last note.
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseFrame } from '../frames/frame.ts';
import { linesBackward } from './backward-lines.ts';
import { sessionIdOf } from './location.ts';

const noteType = Buffer.from('"cost-state"');

/** In US dollars; 0 when the program has not noted anything. Rejects as `fs` does when there is no such file. */
export async function readSpentUsd(transcript: string, signal?: AbortSignal): Promise<number> {
  const sessionId = sessionIdOf(basename(transcript));
  const file = await open(transcript, 'r');
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

/** Notes of other sessions, which copies of a transcript may hold, do not count for the program either. */
function noteIn(line: Buffer, ofSession: string | undefined): number | undefined {
  const frame = parseFrame(line);
  if (!frame || frame.sessionId !== ofSession) return undefined;
  const { type, totalCostUSD } = frame.body as { type?: unknown; totalCostUSD?: unknown };
  return type === 'cost-state' && typeof totalCostUSD === 'number' ? totalCostUSD : undefined;
}
