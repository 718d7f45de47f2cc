// From frames of the program to events of a turn, by a pure function. What earlier frames said is in the state
// that goes in and comes out. The frame itself always comes first, verbatim.
import {
  type ClaudeEvent,
  type Frame,
  type FrameOfKind,
  initialTranslationState,
  streamEventOf,
  type TranslationState,
  translate,
} from '@parley/claude-cli';
import type { ContentBlock, EngineEvent } from '@parley/protocol';
import { noticeOf } from './notices.ts';
import { noTodos, type TodoState, todosAfterCall, todosAfterResult } from './todos.ts';

export interface EventState {
  readonly driver: TranslationState;
  readonly model: string;
  /** Blocks of the assistant's message that is still coming in: the program sends one frame for each block. */
  readonly message: { readonly id: string | undefined; readonly blocks: readonly ContentBlock[] } | undefined;
  /** Tools that were called and have not answered yet, by the id of the call. */
  readonly calls: ReadonlyMap<string, string>;
  readonly todos: TodoState;
}

export interface Translated {
  readonly events: readonly EngineEvent[];
  readonly state: EventState;
}

/** `spentUsd` is what the conversation cost before this process: the program counts on from there, as from `todos`. */
export function initialEventState(spentUsd = 0, todos = noTodos): EventState {
  return {
    driver: { ...initialTranslationState, totalCostUsd: spentUsd },
    model: '',
    message: undefined,
    calls: new Map(),
    todos,
  };
}

export function toEvents(frame: Frame, state: EventState): Translated {
  const raw: EngineEvent = { type: 'frame', raw: frame.text, means: [] };
  const told = translate(frame, state.driver);
  const next = told.state === state.driver ? state : { ...state, driver: told.state };
  if (streamEventOf(frame)?.type === 'content_block_delta') {
    return { events: [raw, ...told.events.flatMap(deltaOf)], state: next };
  }
  const whole = wholeMessage(frame, next);
  const after = afterFrame(frame, told.events, whole.state);
  return { events: [raw, ...whole.events, ...after.events], state: after.state };
}

/** Only the main thread speaks to the person; what subagents say is in the frames. */
function deltaOf(event: ClaudeEvent): EngineEvent[] {
  if (event.type !== 'output' || event.parentToolUseId !== undefined) return [];
  return [{ type: event.channel === 'text' ? 'text.delta' : 'thinking.delta', text: event.text }];
}

/** Gathers the blocks of one message, and tells it once the next thing begins. */
function wholeMessage(frame: Frame, state: EventState): Translated {
  if (frame.kind === 'assistant' && !isOfSubagent(frame)) {
    const { id, content } = frame.body.message;
    const blocks = content as readonly ContentBlock[];
    if (state.message && state.message.id === id) {
      return {
        events: [],
        state: { ...state, message: { id, blocks: [...state.message.blocks, ...blocks] } },
      };
    }
    return { events: messageOf(state), state: { ...state, message: { id, blocks } } };
  }
  const isEnd =
    frame.kind === 'user' || frame.kind === 'result' || streamEventOf(frame)?.type === 'message_stop';
  if (!isEnd || !state.message || isOfSubagent(frame)) return { events: [], state };
  return { events: messageOf(state), state: { ...state, message: undefined } };
}

function messageOf({ message }: EventState): EngineEvent[] {
  return message ? [{ type: 'message', role: 'assistant', content: [...message.blocks] }] : [];
}

function afterFrame(frame: Frame, told: readonly ClaudeEvent[], state: EventState): Translated {
  const events: EngineEvent[] = [];
  let next = state;
  for (const event of told) {
    const step = fromDriverEvent(event, next);
    events.push(...step.events);
    next = step.state;
  }
  switch (frame.kind) {
    case 'system_init':
      return { events, state: { ...next, model: frame.body.model } };
    case 'user':
      return fromUser(frame, events, next);
    case 'progress':
      return { events: [...events, ...progressOf(frame)], state: next };
    default:
      return { events: [...events, ...noticeOf(frame)], state: next };
  }
}

function fromDriverEvent(event: ClaudeEvent, state: EventState): Translated {
  switch (event.type) {
    case 'output':
      return { events: deltaOf(event), state };
    case 'metric':
      return { events: event.scope === 'turn' ? [usageOf(event, state)] : [], state };
    case 'error':
      return {
        events:
          event.code === 'turn_failed'
            ? [{ type: 'failed', code: 'unavailable', message: event.message, recoverable: true }]
            : [],
        state,
      };
    case 'metadata':
      return fromMetadata(event, state);
    case 'status_change':
      return { events: [], state };
    default:
      return event satisfies never;
  }
}

type Metadata = Extract<ClaudeEvent, { type: 'metadata' }>;

function fromMetadata(event: Metadata, state: EventState): Translated {
  if (event.kind === 'tool_use' && event.complete && event.id !== undefined) {
    const { id, name: tool, input } = event;
    const todos = todosAfterCall(state.todos, { id, tool, input });
    const calls = new Map(state.calls).set(id, tool);
    const [oldest] = calls.keys();
    if (calls.size > mostCalls && oldest !== undefined) calls.delete(oldest);
    return {
      events: [{ type: 'tool.started', id, tool, input }],
      state: { ...state, calls, todos },
    };
  }
  if (event.kind === 'tool_result' && event.toolUseId !== undefined) {
    const id = event.toolUseId;
    const tool = state.calls.get(id);
    if (tool === undefined) return { events: [], state };
    const calls = new Map(state.calls);
    calls.delete(id);
    const outcome = event.isError ? 'failed' : 'finished';
    return { events: [{ type: 'tool.ended', id, tool, outcome }], state: { ...state, calls } };
  }
  return { events: [], state };
}

/** Calls of a turn that are remembered; those of an interrupted one may never be answered. */
const mostCalls = 512;

function fromUser(frame: FrameOfKind<'user'>, events: readonly EngineEvent[], state: EventState): Translated {
  const { message } = frame.body;
  const content = typeof message.content === 'string' ? [] : message.content;
  const todos = content.reduce(
    (known, block) =>
      block.type === 'tool_result' && block.tool_use_id !== undefined
        ? todosAfterResult(known, {
            id: block.tool_use_id,
            failed: block.is_error === true,
            result: (frame.body as { tool_use_result?: unknown }).tool_use_result,
          })
        : known,
    state.todos,
  );
  const told: EngineEvent[] =
    isOfSubagent(frame) || frame.body.isSynthetic ? [] : [userMessage(message.content)];
  return {
    events: [...told, ...events, ...changedTodos(state.todos, todos)],
    state: todos === state.todos ? state : { ...state, todos },
  };
}

function userMessage(content: FrameOfKind<'user'>['body']['message']['content']): EngineEvent {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return { type: 'message', role: 'user', content: [...blocks] as ContentBlock[] };
}

function usageOf(event: Extract<ClaudeEvent, { scope: 'turn' }>, { model }: EventState): EngineEvent {
  return {
    type: 'usage',
    model,
    usage: {
      inputTokens: event.inputTokens,
      outputTokens: event.outputTokens,
      cacheReadTokens: event.cacheReadTokens,
      cacheWriteTokens: event.cacheCreationTokens,
      costUsd: event.costUsd,
    },
  };
}

function progressOf({ body }: FrameOfKind<'progress'>): EngineEvent[] {
  const { tool_use_id: id, tool_name: tool, elapsed_time_seconds: seconds } = body;
  if (id === undefined || tool === undefined || seconds === undefined) return [];
  return [{ type: 'tool.progress', id, tool, message: `running for ${Math.round(seconds)} s` }];
}

function changedTodos(before: TodoState, after: TodoState): EngineEvent[] {
  return after.list === before.list ? [] : [{ type: 'todos', todos: [...after.list] }];
}

function isOfSubagent(frame: Frame): boolean {
  return typeof (frame.body as { parent_tool_use_id?: unknown }).parent_tool_use_id === 'string';
}
