// The last task list of a session, folded from its transcript: for readers before a process runs, and for a process
// that continues the list.
import { noTasks, type TaskState } from '../events/tasks.ts';
import { translate } from '../events/translate.ts';
import { initialTranslationState } from '../events/translation-state.ts';
import { parseFrame } from '../frames/frame.ts';
import { readTail } from './tail-lines.ts';

/** How far back to look. Nobody still works on a list that was last changed before that. */
const TAIL_BYTES = 16 * 1024 * 1024;

/** Enough to find the few relevant lines without parsing the others. */
const call = Buffer.from('"name":"T');
const result = Buffer.from('"tool_result"');

/** A missing file, or one that disappears while it is read, has no tasks. */
export async function readPastTasks(transcript: string): Promise<TaskState> {
  let state = initialTranslationState;
  const isRead = await readTail(transcript, TAIL_BYTES, (line) => {
    if (!line.includes(call) && (state.tasks.calls.size === 0 || !line.includes(result))) return;
    const frame = parseFrame(line);
    if (frame) state = translate(frame, state).state;
  });
  return isRead ? state.tasks : noTasks;
}
