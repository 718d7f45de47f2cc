// The program's task list, folded from the calls of whichever tools it has: `TodoWrite` replaces the list,
// `TaskCreate` and `TaskUpdate` change it one task at a time. A call counts once its result says that it worked.
import { type Fields, record } from '../fields.ts';
import type { Task } from './event.ts';

export interface TaskState {
  readonly list: readonly Task[];
  /** Tasks by the program's id. */
  readonly tasks: ReadonlyMap<string, Task>;
  /** Calls that have no result yet, by their id. */
  readonly calls: ReadonlyMap<string, TaskCall>;
}

interface TaskCall {
  readonly tool: string;
  readonly input: Fields;
}

export const noTasks: TaskState = { list: [], tasks: new Map(), calls: new Map() };

const taskTools: ReadonlySet<string> = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate']);
const MAX_TASKS = 500;

/** Returns the same object if nothing changed, like the function below. */
export function tasksAfterCall(
  state: TaskState,
  { id, name, input }: { readonly id: string; readonly name: string; readonly input: unknown },
): TaskState {
  if (!taskTools.has(name) || state.calls.size >= MAX_TASKS) return state;
  return { ...state, calls: new Map(state.calls).set(id, { tool: name, input: record(input) }) };
}

/** `result` is what the program says about the call besides its text. */
export function tasksAfterResult(
  state: TaskState,
  { id, failed, result }: { readonly id: string; readonly failed: boolean; readonly result: unknown },
): TaskState {
  const call = state.calls.get(id);
  if (!call) return state;
  const calls = new Map(state.calls);
  calls.delete(id);
  return failed ? { ...state, calls } : changed({ ...state, calls }, call, record(result));
}

function changed(state: TaskState, { tool, input }: TaskCall, result: Fields): TaskState {
  switch (tool) {
    case 'TodoWrite':
      return Array.isArray(input['todos'])
        ? { ...state, tasks: new Map(), list: input['todos'].slice(0, MAX_TASKS).flatMap(taskOf) }
        : state;
    case 'TaskCreate':
      return created(state, input, record(result['task'])['id']);
    case 'TaskUpdate':
      return updated(state, input);
    default:
      return state;
  }
}

function created(state: TaskState, { subject: text, activeForm }: Fields, id: unknown): TaskState {
  if (typeof text !== 'string' || typeof id !== 'string' || state.tasks.size >= MAX_TASKS) return state;
  return listed(
    state,
    new Map(state.tasks).set(id, { text, status: 'pending', ...activeFormOf(activeForm) }),
  );
}

function updated(state: TaskState, { taskId: id, status, subject, activeForm }: Fields): TaskState {
  const task = typeof id === 'string' ? state.tasks.get(id) : undefined;
  if (!task || typeof id !== 'string') return state;
  const tasks = new Map(state.tasks);
  if (status === 'deleted') tasks.delete(id);
  else {
    const text = typeof subject === 'string' ? subject : task.text;
    tasks.set(id, {
      ...task,
      text,
      status: isStatus(status) ? status : task.status,
      ...activeFormOf(activeForm),
    });
  }
  return listed(state, tasks);
}

function listed(state: TaskState, tasks: ReadonlyMap<string, Task>): TaskState {
  return { ...state, tasks, list: [...tasks.values()] };
}

function taskOf(entry: unknown): Task[] {
  const { content, status, activeForm } = record(entry);
  return typeof content === 'string' && isStatus(status)
    ? [{ text: content, status, ...activeFormOf(activeForm) }]
    : [];
}

function activeFormOf(activeForm: unknown): Pick<Task, 'activeForm'> {
  return typeof activeForm === 'string' && activeForm !== '' ? { activeForm } : {};
}

function isStatus(status: unknown): status is Task['status'] {
  return status === 'pending' || status === 'in_progress' || status === 'completed';
}
