// Encodes events for clients of the kitchen assistant. Pure, and the only place that decides what a client sees.
import {
  type ChatEvent,
  type Envelope,
  type SessionEvent,
  type SessionId,
  totalTokens,
} from '@parley/protocol';
import { waitingText } from '../../../content/waiting-time.ts';
import type { ServerSentEvent } from '../streams/formats.ts';

/** Undefined for events that this wire doesn't carry. */
export function toSse({ seq, sessionId, event }: Envelope): ServerSentEvent | undefined {
  const encoded = toChatEvent(event, sessionId);
  return encoded && { id: seq, ...encoded };
}

function toChatEvent(event: SessionEvent, conversation_id: SessionId): ChatEvent | undefined {
  switch (event.type) {
    case 'text.delta':
      return { event: 'chunk', data: { text: event.text } };
    case 'tool.started':
      return { event: 'tool_use', data: { tool: event.tool, status: 'started' } };
    case 'tool.ended':
      return { event: 'tool_use', data: { tool: event.tool, status: event.outcome } };
    case 'artifact':
      return { event: 'recipe_artifact', data: { recipe_id: event.id } };
    case 'notice':
      return { event: 'notice', data: { message: event.message } };
    case 'queue.blocked':
      return { event: 'notice', data: { message: waitingText(event.ahead) } };
    case 'turn.ended':
      return toEnd(event, conversation_id);
    default:
      return undefined;
  }
}

/** Stopping a turn on purpose is not a failure. */
function toEnd(
  { outcome, error, usage }: Extract<SessionEvent, { type: 'turn.ended' }>,
  conversation_id: SessionId,
): ChatEvent {
  const done = { tokens_used: totalTokens(usage), conversation_id };
  if (error) return { event: 'error', data: { message: error.message, recoverable: error.recoverable } };
  switch (outcome) {
    case 'completed':
      return { event: 'done', data: done };
    case 'interrupted':
      return { event: 'done', data: { ...done, stopped: true } };
    case 'failed':
      return { event: 'error', data: { message: 'The answer failed. Try again.', recoverable: true } };
    default:
      return outcome satisfies never;
  }
}
