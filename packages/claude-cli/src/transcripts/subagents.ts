// What subagents said is not among the lines of the session: each has a transcript of its own in the folder beside,
// `<session id>/subagents/agent-<id>.jsonl`, and next to that a file that says which call began it.
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const noteEnd = '.meta.json';
/** A session with more of them is looked through no further. */
const mostSubagents = 5_000;

/** The transcript of the subagent that a tool call began. Undefined when there is none, or an older program kept it. */
export async function findSubagent(
  transcript: string,
  toolUseId: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const folder = join(dirname(transcript), basename(transcript, '.jsonl'), 'subagents');
  const names = await readdir(folder).catch(() => []);
  const notes = names.filter((name) => name.endsWith(noteEnd)).slice(0, mostSubagents);
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
    const { toolUseId } = JSON.parse(await readFile(note, 'utf8')) as { toolUseId?: unknown };
    return toolUseId;
  } catch {
    // It may be half written at this moment.
    return undefined;
  }
}
