// The task list that a session was left with, folded from its transcript: for pages that come before a process is
// awake, and for a process that goes on with the list.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Frame, isSidechain, LineSplitter, parseFrame } from '@parley/claude-cli';
import { noTodos, type TodoState, todosAfterCall, todosAfterResult } from '../translation/todos.ts';

/** A list that was last touched so long ago is no longer being worked on; tasks begun before it are not found. */
const tailBytes = 16 * 1024 * 1024;
const blockBytes = 256 * 1024;

/** Enough to tell the few lines that matter from the many that need not be parsed. */
const call = Buffer.from('"name":"T');
const result = Buffer.from('"tool_result"');

/** A file that is not there, or goes away meanwhile, has no tasks: the program tidies up by itself. */
export async function pastTodos(transcript: string): Promise<TodoState> {
  let todos = noTodos;
  const lines = new LineSplitter({
    onLine: (line) => {
      if (line.includes(call) || (todos.calls.size > 0 && line.includes(result))) todos = after(todos, line);
    },
  });
  try {
    const { size } = await stat(transcript);
    const start = Math.max(0, size - tailBytes);
    const bytes = createReadStream(transcript, { start, highWaterMark: blockBytes });
    for await (const block of bytes) lines.push(block as Buffer);
  } catch {
    return noTodos;
  }
  lines.end();
  return todos;
}

function after(todos: TodoState, line: Buffer): TodoState {
  const frame = parseFrame(line);
  if (!frame || isSidechain(frame)) return todos;
  return blocksOf(frame).reduce((known, block) => {
    const { type, id, name: tool, input, tool_use_id: answered, is_error: failed } = block;
    if (type === 'tool_use' && typeof id === 'string' && typeof tool === 'string') {
      return todosAfterCall(known, { id, tool, input });
    }
    if (type !== 'tool_result' || typeof answered !== 'string') return known;
    const { toolUseResult } = frame.body as { toolUseResult?: unknown };
    return todosAfterResult(known, { id: answered, failed: failed === true, result: toolUseResult });
  }, todos);
}

function blocksOf(frame: Frame): readonly Readonly<Record<string, unknown>>[] {
  if (frame.kind !== 'assistant' && frame.kind !== 'user') return [];
  const { content } = frame.body.message;
  return Array.isArray(content) ? (content as Readonly<Record<string, unknown>>[]) : [];
}
