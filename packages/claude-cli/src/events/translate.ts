// From frames to events, by a pure function. What is known of earlier frames is in the state that goes in and
// comes out; a frame that changes nothing returns the same state object.
import type { ContentBlock, ResultBody, StreamEvent, SystemInitBody, Usage } from '../frames/bodies.ts';
import { type Frame, streamEventOf } from '../frames/frame.ts';
import { costTotals } from './cost-totals.ts';
import type { ClaudeEvent } from './event.ts';
import { tokenCounts, usageAtEnd } from './usage.ts';

export interface TranslationState {
  readonly status: 'starting' | 'running' | 'stopped' | 'error';
  /** The messages whose streams are open, by the tool call that they belong to ('' for the main thread). */
  readonly open: Readonly<Record<string, OpenMessage>>;
  /** Messages that were told piece by piece, newest last. */
  readonly streamed: readonly string[];
  /** Messages whose use was told, newest last. */
  readonly counted: readonly string[];
  /**
   * What the program said last that the conversation cost. For a process that goes on with a conversation it starts
   * with what that cost before, see readSpentUsd; Infinity when that is not known.
   */
  readonly totalCostUsd: number;
  /** The conversation of the last result. */
  readonly sessionId?: string | undefined;
}

interface OpenMessage {
  readonly messageId: string | undefined;
  readonly usage: Usage;
  readonly stopReason?: string;
}

export interface Translation {
  readonly events: readonly ClaudeEvent[];
  readonly state: TranslationState;
}

export const initialTranslationState: TranslationState = {
  status: 'starting',
  open: {},
  streamed: [],
  counted: [],
  totalCostUsd: 0,
};

/** Frames of one message come close together, also when subagents speak at the same time. */
const REMEMBERED_MESSAGES = 32;

export function translate(frame: Frame, state: TranslationState): Translation {
  switch (frame.kind) {
    case 'stream_event':
    case 'bare_stream_event':
      return fromStreamEvent(frame, state);
    case 'assistant':
      return fromAssistant(frame, state);
    case 'user':
      return { events: toolResults(frame), state };
    case 'system_init':
      return withRunning(state, [fromInit(frame.body)]);
    case 'result':
      return fromResult(frame.body, state);
    case 'system':
      return {
        events: [{ type: 'metadata', kind: 'notice', frameType: 'system', subtype: frame.body.subtype }],
        state,
      };
    case 'control_request':
    case 'control_response':
    case 'control_cancel_request':
      return { events: [], state };
    case 'progress':
    case 'summary':
    case 'custom_title':
    case 'ai_title':
    case 'tag':
    case 'agent_name':
    case 'queue_operation':
    case 'file_history_snapshot':
      return {
        events: [{ type: 'metadata', kind: 'notice', frameType: frame.body.type, subtype: undefined }],
        state,
      };
    case 'unknown':
      return { events: [unknownNotice(frame.body)], state };
    default:
      return frame satisfies never;
  }
}

type StreamFrame = Extract<Frame, { kind: 'stream_event' | 'bare_stream_event' }>;

function fromStreamEvent(frame: StreamFrame, state: TranslationState): Translation {
  const event = streamEventOf(frame) as StreamEvent;
  switch (event.type) {
    case 'content_block_delta':
      return { events: fromDelta(event, frame, state), state };
    case 'message_start':
      return fromMessageStart(event, frame, state);
    case 'content_block_start':
      return { events: event.content_block ? toolStart(event.content_block, frame) : [], state };
    case 'message_delta':
      return fromMessageDelta(event, frame, state);
    case 'message_stop':
      return fromMessageStop(frame, state);
    case 'error':
      return fromErrorEvent(event, frame, state);
    default:
      return { events: [], state };
  }
}

function fromDelta(event: StreamEvent, frame: StreamFrame, state: TranslationState): ClaudeEvent[] {
  const { delta } = event;
  const text =
    delta?.type === 'text_delta' ? delta.text : delta?.type === 'thinking_delta' ? delta.thinking : undefined;
  if (text === undefined || text === '') return [];
  return [
    {
      type: 'output',
      channel: delta?.type === 'text_delta' ? 'text' : 'thinking',
      text,
      messageId: openMessage(frame, state)?.messageId,
      parentToolUseId: parentOf(frame),
    },
  ];
}

function fromMessageStart(event: StreamEvent, frame: StreamFrame, state: TranslationState): Translation {
  const messageId = event.message?.id;
  return withRunning({
    ...state,
    open: { ...state.open, [threadOf(frame)]: { messageId, usage: event.message?.usage ?? {} } },
    streamed: messageId === undefined ? state.streamed : remember(state.streamed, messageId),
    counted: messageId === undefined ? state.counted : remember(state.counted, messageId),
  });
}

function fromMessageDelta(event: StreamEvent, frame: StreamFrame, state: TranslationState): Translation {
  const open = openMessage(frame, state) ?? { messageId: undefined, usage: {} };
  const { messageId } = open;
  const usage = usageAtEnd(event, open.usage);
  const stopReason = event.delta?.stop_reason;
  return {
    events: usage ? [{ type: 'metric', scope: 'message', messageId, ...tokenCounts(usage) }] : [],
    state: stopReason
      ? { ...state, open: { ...state.open, [threadOf(frame)]: { ...open, stopReason } } }
      : state,
  };
}

/** A wrapped stream belongs to a conversation that goes on; a bare one is over with its message. */
function fromMessageStop(frame: StreamFrame, state: TranslationState): Translation {
  const { [threadOf(frame)]: ended, ...open } = state.open;
  const goesOn =
    frame.kind === 'stream_event' || ended?.stopReason === 'tool_use' || ended?.stopReason === 'pause_turn';
  if (goesOn || state.status !== 'running') return { events: [], state: { ...state, open } };
  return {
    events: [{ type: 'status_change', from: 'running', to: 'stopped', reason: 'message_stop' }],
    state: { ...state, open, status: 'stopped' },
  };
}

function fromErrorEvent(event: StreamEvent, frame: StreamFrame, state: TranslationState): Translation {
  const message = event.error?.message ?? 'The model reported an error without a text.';
  const fatal = frame.kind === 'bare_stream_event';
  const error: ClaudeEvent = { type: 'error', code: 'model_error', message, fatal };
  if (!fatal || state.status === 'error') return { events: [error], state };
  return {
    events: [error, { type: 'status_change', from: state.status, to: 'error', reason: message }],
    state: { ...state, status: 'error' },
  };
}

/** A whole message: its text is told only if no stream told it piece by piece, its use only once. */
function fromAssistant(frame: Extract<Frame, { kind: 'assistant' }>, state: TranslationState): Translation {
  const { message } = frame.body;
  const streamed = message.id !== undefined && state.streamed.includes(message.id);
  const parentToolUseId = parentOf(frame);
  const events = message.content.flatMap((block): ClaudeEvent[] => {
    if (block.type === 'tool_use' || block.type === 'server_tool_use')
      return toolCall(block, parentToolUseId, true);
    const text = block.type === 'text' ? block.text : block.type === 'thinking' ? block.thinking : undefined;
    if (streamed || text === undefined || text === '') return [];
    const channel = block.type === 'text' ? 'text' : 'thinking';
    return [{ type: 'output', channel, text, messageId: message.id, parentToolUseId }];
  });
  if (message.id === undefined || !message.usage || state.counted.includes(message.id))
    return { events, state };
  return {
    events: [
      ...events,
      { type: 'metric', scope: 'message', messageId: message.id, ...tokenCounts(message.usage) },
    ],
    state: { ...state, counted: remember(state.counted, message.id) },
  };
}

function toolStart(block: ContentBlock, frame: Frame): ClaudeEvent[] {
  const isTool = block.type === 'tool_use' || block.type === 'server_tool_use';
  return isTool ? toolCall(block, parentOf(frame), false) : [];
}

function toolCall(
  block: ContentBlock,
  parentToolUseId: string | undefined,
  complete: boolean,
): ClaudeEvent[] {
  const { id, name = '', input } = block;
  return [{ type: 'metadata', kind: 'tool_use', id, name, input, complete, parentToolUseId }];
}

function toolResults(frame: Extract<Frame, { kind: 'user' }>): ClaudeEvent[] {
  const { content } = frame.body.message;
  if (typeof content === 'string') return [];
  return content
    .filter((block) => block.type === 'tool_result')
    .map((block) => ({
      type: 'metadata',
      kind: 'tool_result',
      toolUseId: block.tool_use_id,
      isError: block.is_error === true,
      content: block.content,
      parentToolUseId: parentOf(frame),
    }));
}

function fromInit(body: SystemInitBody): ClaudeEvent {
  return {
    type: 'metadata',
    kind: 'session',
    sessionId: body.session_id,
    model: body.model,
    workingDir: body.cwd,
    permissionMode: body.permissionMode,
    tools: body.tools ?? [],
    version: body.claude_code_version,
  };
}

function fromResult(body: ResultBody, state: TranslationState): Translation {
  const { costUsd, totalCostUsd } = costTotals(body, state);
  const interrupted = wasInterrupted(body);
  const isError = body.is_error === true;
  const events: ClaudeEvent[] = [
    {
      type: 'metric',
      scope: 'turn',
      costUsd,
      totalCostUsd: Number.isFinite(totalCostUsd) ? totalCostUsd : 0,
      durationMs: body.duration_ms,
      apiDurationMs: body.duration_api_ms,
      modelTurns: body.num_turns,
      ...tokenCounts(body.usage ?? {}),
    },
  ];
  if (isError && !interrupted)
    events.push({ type: 'error', code: 'turn_failed', message: failureOf(body), fatal: false });
  const { subtype: outcome, result: text, session_id: sessionId } = body;
  events.push({ type: 'metadata', kind: 'turn_ended', outcome, isError, interrupted, text, sessionId });
  return { events, state: { ...state, open: {}, totalCostUsd, sessionId: sessionId ?? state.sessionId } };
}

/** An interrupted turn ends like a failed one, but nothing is wrong with it. */
function wasInterrupted(body: ResultBody): boolean {
  const reason = (body as { terminal_reason?: unknown }).terminal_reason;
  return typeof reason === 'string' && reason.startsWith('aborted');
}

function failureOf(body: ResultBody): string {
  const told = body.result ?? body.errors?.join(' ');
  return told === undefined || told === '' ? `The turn ended with ${body.subtype}.` : told;
}

function unknownNotice(body: Readonly<Record<string, unknown>>): ClaudeEvent {
  const { type, subtype } = body;
  return {
    type: 'metadata',
    kind: 'notice',
    frameType: typeof type === 'string' ? type : 'unknown',
    subtype: typeof subtype === 'string' ? subtype : undefined,
  };
}

function withRunning(state: TranslationState, events: readonly ClaudeEvent[] = []): Translation {
  if (state.status !== 'starting') return { events, state };
  return {
    events: [{ type: 'status_change', from: 'starting', to: 'running' }, ...events],
    state: { ...state, status: 'running' },
  };
}

function openMessage(frame: StreamFrame, state: TranslationState): OpenMessage | undefined {
  return state.open[threadOf(frame)];
}

function threadOf(frame: StreamFrame): string {
  return parentOf(frame) ?? '';
}

function parentOf(frame: Frame): string | undefined {
  const parent = (frame.body as { parent_tool_use_id?: unknown }).parent_tool_use_id;
  return typeof parent === 'string' ? parent : undefined;
}

function remember(ids: readonly string[], id: string): readonly string[] {
  return [...ids.filter((known) => known !== id), id].slice(-REMEMBERED_MESSAGES);
}
