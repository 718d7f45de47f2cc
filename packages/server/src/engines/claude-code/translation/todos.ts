// The program's task list, folded from the calls of whichever tools it has: `TodoWrite` replaces the list,
// `TaskCreate` and `TaskUpdate` change it one task at a time. A call counts once its result says that it worked.
import type { Todo } from '@parley/protocol';

export interface TodoState {
  readonly list: readonly Todo[];
  /** Tasks by the program's id of them. */
  readonly tasks: ReadonlyMap<string, Todo>;
  /** Calls that have no result yet, by their id. */
  readonly calls: ReadonlyMap<string, TodoCall>;
}

interface TodoCall {
  readonly tool: string;
  readonly input: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

export const noTodos: TodoState = { list: [], tasks: new Map(), calls: new Map() };

const todoTools: ReadonlySet<string> = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate']);
const mostTodos = 500;

/** The same object comes back where nothing changed, here and below. */
export function todosAfterCall(
  state: TodoState,
  { id, tool, input }: { readonly id: string; readonly tool: string; readonly input: unknown },
): TodoState {
  if (!todoTools.has(tool) || state.calls.size >= mostTodos) return state;
  return { ...state, calls: new Map(state.calls).set(id, { tool, input: fieldsOf(input) }) };
}

/** `result` is what the program says of the call beside its text. */
export function todosAfterResult(
  state: TodoState,
  { id, failed, result }: { readonly id: string; readonly failed: boolean; readonly result: unknown },
): TodoState {
  const call = state.calls.get(id);
  if (!call) return state;
  const calls = new Map(state.calls);
  calls.delete(id);
  return failed ? { ...state, calls } : changed({ ...state, calls }, call, fieldsOf(result));
}

function changed(state: TodoState, { tool, input }: TodoCall, result: Fields): TodoState {
  switch (tool) {
    case 'TodoWrite':
      return Array.isArray(input['todos'])
        ? { ...state, tasks: new Map(), list: input['todos'].slice(0, mostTodos).flatMap(todoOf) }
        : state;
    case 'TaskCreate':
      return created(state, input['subject'], fieldsOf(result['task'])['id']);
    case 'TaskUpdate':
      return updated(state, input);
    default:
      return state;
  }
}

function created(state: TodoState, text: unknown, id: unknown): TodoState {
  if (typeof text !== 'string' || typeof id !== 'string' || state.tasks.size >= mostTodos) return state;
  return listed(state, new Map(state.tasks).set(id, { text, status: 'pending' }));
}

function updated(state: TodoState, { taskId: id, status, subject }: Fields): TodoState {
  const task = typeof id === 'string' ? state.tasks.get(id) : undefined;
  if (!task || typeof id !== 'string') return state;
  const tasks = new Map(state.tasks);
  if (status === 'deleted') tasks.delete(id);
  else {
    const text = typeof subject === 'string' ? subject : task.text;
    tasks.set(id, { text, status: isStatus(status) ? status : task.status });
  }
  return listed(state, tasks);
}

function listed(state: TodoState, tasks: ReadonlyMap<string, Todo>): TodoState {
  return { ...state, tasks, list: [...tasks.values()] };
}

function todoOf(entry: unknown): Todo[] {
  const { content, status } = fieldsOf(entry);
  return typeof content === 'string' && isStatus(status) ? [{ text: content, status }] : [];
}

function isStatus(status: unknown): status is Todo['status'] {
  return status === 'pending' || status === 'in_progress' || status === 'completed';
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
