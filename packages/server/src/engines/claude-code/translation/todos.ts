// The program's task list, folded from the calls of whichever tools it has: `TodoWrite` replaces the list,
// `TaskCreate` and `TaskUpdate` change it one task at a time.
import type { Todo } from '@parley/protocol';

export interface TodoState {
  readonly list: readonly Todo[];
  /** Where each task stands in the list, by the program's id of it. */
  readonly tasks: ReadonlyMap<string, Todo>;
  /** Calls that create a task; the result says which id it has. */
  readonly creating: ReadonlyMap<string, string>;
}

export const noTodos: TodoState = { list: [], tasks: new Map(), creating: new Map() };

const mostTodos = 500;

/** The same object comes back where nothing changed. */
export function todosAfterCall(
  state: TodoState,
  call: { readonly id: string; readonly tool: string; readonly input: unknown },
): TodoState {
  const input = fieldsOf(call.input);
  switch (call.tool) {
    case 'TodoWrite':
      return Array.isArray(input['todos'])
        ? { ...noTodos, list: input['todos'].slice(0, mostTodos).flatMap(todoOf) }
        : state;
    case 'TaskCreate': {
      const subject = input['subject'];
      if (typeof subject !== 'string' || state.creating.size >= mostTodos) return state;
      return { ...state, creating: new Map(state.creating).set(call.id, subject) };
    }
    case 'TaskUpdate':
      return updated(state, input);
    default:
      return state;
  }
}

export function todosAfterResult(
  state: TodoState,
  { id, failed, result }: { readonly id: string; readonly failed: boolean; readonly result: unknown },
): TodoState {
  const text = state.creating.get(id);
  if (text === undefined) return state;
  const creating = new Map(state.creating);
  creating.delete(id);
  const taskId = fieldsOf(fieldsOf(result)['task'])['id'];
  if (failed || typeof taskId !== 'string' || state.tasks.size >= mostTodos) return { ...state, creating };
  return listed({ ...state, creating }, new Map(state.tasks).set(taskId, { text, status: 'pending' }));
}

function updated(state: TodoState, input: Readonly<Record<string, unknown>>): TodoState {
  const { taskId, status, subject } = input;
  const task = typeof taskId === 'string' ? state.tasks.get(taskId) : undefined;
  if (!task || typeof taskId !== 'string') return state;
  const tasks = new Map(state.tasks);
  if (status === 'deleted') tasks.delete(taskId);
  else {
    const text = typeof subject === 'string' ? subject : task.text;
    tasks.set(taskId, { text, status: isStatus(status) ? status : task.status });
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

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
