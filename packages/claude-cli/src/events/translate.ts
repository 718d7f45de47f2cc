// Translates frames to events with a pure function: the one place that knows what a frame or a line of a transcript
// means. The state that goes in and comes out holds what earlier frames said; if a frame changes nothing, it is the
// same object.

import { number, record, text } from '../fields.ts';
import type { ResultBody, StreamEvent } from '../frames/bodies.ts';
import { type Frame, streamEventOf } from '../frames/frame.ts';
import { costTotals } from './cost-totals.ts';
import type { ClaudeEvent } from './event.ts';
import { fromAssistant, fromUser, isToolBlock, toolCall } from './from-messages.ts';
import { fromInit, fromProgress, fromSystem, fromUnknown, notice } from './from-program.ts';
import {
  type OpenMessage,
  parentOf,
  remember,
  type Translation,
  type TranslationState,
  withRunning,
} from './translation-state.ts';
import { tokenCounts, usageAtEnd } from './usage.ts';

export function translate(frame: Frame, state: TranslationState): Translation {
  switch (frame.kind) {
    case 'stream_event':
    case 'bare_stream_event':
      return fromStreamEvent(frame, state);
    case 'assistant':
      return fromAssistant(frame, state);
    case 'user':
      return fromUser(frame, state);
    case 'system_init':
      return fromInit(frame.body, state);
    case 'result':
      return fromResult(frame.body, state);
    case 'system':
      return fromSystem(frame, state);
    case 'control_request':
    case 'control_response':
    case 'control_cancel_request':
      return { events: [], state };
    case 'progress':
      return { events: [fromProgress(frame)], state };
    case 'summary':
    case 'custom_title':
    case 'ai_title':
    case 'tag':
    case 'agent_name':
    case 'queue_operation':
    case 'file_history_snapshot':
      return { events: [notice(frame.body.type)], state };
    case 'unknown':
      return { events: [fromUnknown(frame.body)], state };
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
      return fromBlockStart(event, frame, state);
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
  const { delta, index = 0 } = event;
  const open = openMessage(frame, state);
  const parentToolUseId = parentOf(frame);
  switch (delta?.type) {
    case 'text_delta':
    case 'thinking_delta': {
      const channel = delta.type === 'text_delta' ? 'text' : 'thinking';
      const text = delta[channel];
      if (text === undefined || text === '') return [];
      return [{ type: 'output', channel, text, messageId: open?.messageId, parentToolUseId }];
    }
    case 'input_json_delta': {
      const { partial_json: json = '' } = delta;
      const { id, name } = open?.calls?.[index] ?? { id: undefined, name: '' };
      return json === '' ? [] : [{ type: 'metadata', kind: 'tool_input', id, name, json, parentToolUseId }];
    }
    default:
      return [];
  }
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

/** Remembers the call, because the pieces of its input don't name it. */
function fromBlockStart(event: StreamEvent, frame: StreamFrame, state: TranslationState): Translation {
  const { content_block: block, index = 0 } = event;
  if (!block || !isToolBlock(block)) return { events: [], state };
  const { id, name = '' } = block;
  const open = openMessage(frame, state) ?? { messageId: undefined, usage: {} };
  const calls = { ...open.calls, [index]: { id, name } };
  return {
    events: [toolCall(block, parentOf(frame), false)],
    state: { ...state, open: { ...state.open, [threadOf(frame)]: { ...open, calls } } },
  };
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

/** A wrapped stream belongs to a conversation that continues; a bare one ends with its message. */
function fromMessageStop(frame: StreamFrame, state: TranslationState): Translation {
  const { [threadOf(frame)]: ended, ...open } = state.open;
  const continues =
    frame.kind === 'stream_event' || ended?.stopReason === 'tool_use' || ended?.stopReason === 'pause_turn';
  if (continues || state.status !== 'running') return { events: [], state: { ...state, open } };
  return {
    events: [{ type: 'status_change', from: 'running', to: 'stopped', reason: 'message_stop' }],
    state: { ...state, open, status: 'stopped' },
  };
}

/** A bare stream ends with its error; a wrapped one belongs to a conversation that continues. */
function fromErrorEvent(event: StreamEvent, frame: StreamFrame, state: TranslationState): Translation {
  const { type, message: said } = record(event.error);
  const errorType = text(type);
  const message =
    [said, event.error, event.message].map(text).find((words) => words !== undefined && words !== '') ??
    `The model reported an error${errorType === undefined ? ' without a message' : `: ${errorType}`}.`;
  const fatal = frame.kind === 'bare_stream_event';
  const error: ClaudeEvent = {
    type: 'error',
    code: 'model_error',
    message,
    fatal,
    ...(errorType !== undefined && { errorType }),
  };
  if (!fatal || state.status === 'error') return { events: [error], state };
  return {
    events: [error, { type: 'status_change', from: state.status, to: 'error', reason: message }],
    state: { ...state, status: 'error' },
  };
}

function fromResult(body: ResultBody, state: TranslationState): Translation {
  const { costUsd, totalCostUsd } = costTotals(body, state);
  const interrupted = wasInterrupted(body, state);
  // Older versions do not always mark their errors.
  const isError = body.is_error === true || body.subtype.startsWith('error');
  const events: ClaudeEvent[] = [
    {
      type: 'metric',
      scope: 'turn',
      costUsd,
      totalCostUsd: Number.isFinite(totalCostUsd) ? totalCostUsd : 0,
      durationMs: body.duration_ms,
      apiDurationMs: body.duration_api_ms,
      model: state.model,
      modelTurns: body.num_turns,
      ...tokenCounts(body.usage ?? {}),
    },
  ];
  const window = contextWindowOf(body, state);
  if (window !== undefined) events.push({ type: 'metadata', kind: 'context', window });
  if (isError && !interrupted)
    events.push({ type: 'error', code: 'turn_failed', message: failureOf(body), fatal: false });
  const { subtype: outcome, session_id: sessionId } = body;
  events.push({
    type: 'metadata',
    kind: 'turn_ended',
    outcome,
    isError,
    interrupted,
    text: body.result,
    ...(body.structured_output !== undefined && { structuredOutput: body.structured_output }),
    sessionId,
  });
  return {
    events,
    state: {
      ...state,
      open: {},
      totalCostUsd,
      sessionId: sessionId ?? state.sessionId,
      isInterrupted: false,
    },
  };
}

function contextWindowOf({ modelUsage }: ResultBody, { model }: TranslationState): number | undefined {
  const usages = record(modelUsage);
  const own = number(record(usages[model])['contextWindow']);
  if (own !== undefined) return own;
  const windows = Object.values(usages).flatMap((usage) => number(record(usage)['contextWindow']) ?? []);
  return windows.length > 0 ? Math.max(...windows) : undefined;
}

/**
 * An interrupted turn ends like a failed one, but nothing is wrong with it. Before 2.1 the result does not say so, but
 * the program announces the interruption first.
 */
function wasInterrupted(body: ResultBody, { isInterrupted }: TranslationState): boolean {
  const reason = text((body as { terminal_reason?: unknown }).terminal_reason);
  if (reason !== undefined) return reason.startsWith('aborted');
  return isInterrupted && body.subtype === 'error_during_execution';
}

const failures: Readonly<Record<string, string>> = {
  error_max_turns: 'The turn reached its step limit.',
  error_max_budget_usd: 'The turn reached its budget.',
  error_max_structured_output_retries: 'No answer matched the requested schema.',
};

function failureOf(body: ResultBody): string {
  const reported = body.result ?? body.errors?.join(' ');
  if (reported !== undefined && reported !== '') return reported;
  return failures[body.subtype] ?? `The turn ended with ${body.subtype}.`;
}

function openMessage(frame: StreamFrame, state: TranslationState): OpenMessage | undefined {
  return state.open[threadOf(frame)];
}

function threadOf(frame: StreamFrame): string {
  return parentOf(frame) ?? '';
}
