// Finds the transcript of a subagent, which is in the folder next to the session's transcript:
// `<session id>/subagents/agent-<id>.jsonl`. A file next to it names the tool call that started the subagent.
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openReal } from './real-file.ts';

const noteEnd = '.meta.json';
/** How many subagents of a session to search. */
const maxSubagents = 5_000;

/** The transcript of the subagent that a tool call started. Undefined if there is none or an older program wrote it. */
export async function findSubagent(
  transcript: string,
  toolUseId: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const folder = join(dirname(transcript), basename(transcript, '.jsonl'), 'subagents');
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
      const { toolUseId } = JSON.parse(await file.readFile('utf8')) as { toolUseId?: unknown };
      return toolUseId;
    } finally {
      await file.close();
    }
  } catch {
    // It may be half written right now.
    return undefined;
  }
}
