// Finds the transcript of a subagent, which is in the folder next to the session's transcript:
// `<session id>/subagents/agent-<id>.jsonl`. A file next to it names the tool call that started the subagent.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readFully } from './file-blocks.ts';
import { sideFolderOf } from './location.ts';
import { openReal } from './real-file.ts';

const noteEnd = '.meta.json';
/** How many subagents of a session to search. */
const maxSubagents = 5_000;
/** Notes of the program are much smaller. */
const maxNoteBytes = 64 * 1024;

/** The transcript of the subagent that a tool call started. Undefined if there is none or an older program wrote it. */
export async function findSubagent(
  transcript: string,
  toolUseId: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const folder = join(sideFolderOf(transcript), 'subagents');
  const names = await readdir(folder).catch(() => []);
  const notes = names.filter((name) => name.endsWith(noteEnd)).slice(0, maxSubagents);
  for (const note of notes) {
    signal?.throwIfAborted();
    if ((await callOf(join(folder, note))) === toolUseId) {
      return join(folder, `${note.slice(0, -noteEnd.length)}.jsonl`);
    }
  }
  return undefined;
}

async function callOf(note: string): Promise<unknown> {
  try {
    const file = await openReal(note);
    try {
      const { toolUseId } = JSON.parse((await readFully(file, 0, maxNoteBytes)).toString()) as {
        toolUseId?: unknown;
      };
      return toolUseId;
    } finally {
      await file.close();
    }
  } catch {
    // It may be half written right now, or too long.
    return undefined;
  }
}
