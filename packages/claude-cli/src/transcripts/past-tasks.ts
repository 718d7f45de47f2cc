// Folds the last task list of a session from its transcript, to show it before a process runs, or to continue it.
import { noTasks, type TaskState } from '../events/tasks.ts';
import { translate } from '../events/translate.ts';
import { initialTranslationState } from '../events/translation-state.ts';
import { parseFrame } from '../frames/frame.ts';
import { readTail } from './tail-lines.ts';

/** How far back to look. Nobody is still working on an older list. */
const TAIL_BYTES = 16 * 1024 * 1024;

/** Enough to find the few relevant lines without parsing the others. */
const call = Buffer.from('"name":"T');
const result = Buffer.from('"tool_result"');

/** Returns no tasks if the file is missing or disappears while it is read. */
export async function readPastTasks(transcript: string): Promise<TaskState> {
  let state = initialTranslationState;
  const isRead = await readTail(transcript, TAIL_BYTES, (line) => {
    if (!line.includes(call) && (state.tasks.calls.size === 0 || !line.includes(result))) return;
    const frame = parseFrame(line);
    if (frame) state = translate(frame, state).state;
  });
  return isRead ? state.tasks : noTasks;
}
