// Events as the kitchen assistant's clients get them. Pure: what a client sees is decided here alone.
import { type ChatEvent, type Envelope, type SessionEvent, totalTokens } from '@parley/protocol';
import type { ServerSentEvent } from '../streams/formats.ts';

/** Nothing for events that this wire has no word for. */
export function toSse({ seq, event }: Envelope): ServerSentEvent | undefined {
  const told = toChatEvent(event);
  return told && { id: seq, ...told };
}

function toChatEvent(event: SessionEvent): ChatEvent | undefined {
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
    case 'turn.ended':
      return toEnd(event);
    default:
      return undefined;
  }
}

/** Who stopped a turn has what they wanted: that is an end, not a failure. */
function toEnd({ outcome, error, usage }: Extract<SessionEvent, { type: 'turn.ended' }>): ChatEvent {
  const tokens_used = totalTokens(usage);
  if (error) return { event: 'error', data: { message: error.message, recoverable: error.recoverable } };
  switch (outcome) {
    case 'completed':
      return { event: 'done', data: { tokens_used } };
    case 'interrupted':
      return { event: 'done', data: { tokens_used, stopped: true } };
    case 'failed':
      return { event: 'error', data: { message: 'The answer failed. Try again.', recoverable: true } };
    default:
      return outcome satisfies never;
  }
}
