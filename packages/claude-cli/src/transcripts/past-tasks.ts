// The last task list of a session, folded from its transcript: for readers before a process runs, and for a process
// that continues the list.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { noTasks, type TaskState } from '../events/tasks.ts';
import { translate } from '../events/translate.ts';
import { initialTranslationState } from '../events/translation-state.ts';
import { parseFrame } from '../frames/frame.ts';
import { LineSplitter } from '../frames/line-splitter.ts';

/** How far back to look. Nobody still works on a list that was last changed before that. */
const TAIL_BYTES = 16 * 1024 * 1024;
const BLOCK_BYTES = 256 * 1024;

/** Enough to find the few relevant lines without parsing the others. */
const call = Buffer.from('"name":"T');
const result = Buffer.from('"tool_result"');

/** A missing file, or one that disappears meanwhile, has no tasks: the program deletes old transcripts. */
export async function readPastTasks(transcript: string): Promise<TaskState> {
  let state = initialTranslationState;
  const lines = new LineSplitter({
    onLine: (line) => {
      if (!line.includes(call) && (state.tasks.calls.size === 0 || !line.includes(result))) return;
      const frame = parseFrame(line);
      if (frame) state = translate(frame, state).state;
    },
  });
  try {
    const { size } = await stat(transcript);
    const start = Math.max(0, size - TAIL_BYTES);
    const bytes = createReadStream(transcript, { start, highWaterMark: BLOCK_BYTES });
    for await (const block of bytes) lines.push(block as Buffer);
  } catch {
    return noTasks;
  }
  lines.end();
  return state.tasks;
}
