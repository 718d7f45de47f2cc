// Encodes events as lines of the notes assistant's NDJSON stream. Pure, and the only place that decides what a client
// sees.
import { ParleyError, type SessionEvent, type StreamLine } from '@parley/protocol';
import { waitingText } from '../../../content/waiting-time.ts';

/** Undefined for events that this wire doesn't carry. */
export function toStreamLine(event: SessionEvent): StreamLine | undefined {
  switch (event.type) {
    case 'text.delta':
      return { type: 'text', delta: event.text };
    case 'tool.started':
      return { type: 'tool_use', name: event.tool, input: event.input };
    case 'notice':
      return { type: 'notice', code: event.code, message: event.message };
    case 'queue.blocked':
      return { type: 'notice', code: 'waiting', message: waitingText(event.ahead) };
    case 'turn.ended': {
      const failure = turnFailure(event);
      return failure && { type: 'error', message: failure.message };
    }
    default:
      return undefined;
  }
}

export type TurnEnded = Extract<SessionEvent, { type: 'turn.ended' }>;

/** Why a turn has no answer; undefined if it has one. */
export function turnFailure({ outcome, error }: TurnEnded): ParleyError | undefined {
  switch (outcome) {
    case 'completed':
      return undefined;
    case 'failed':
      return error ? new ParleyError(error.code, error.message, error) : ParleyError.from(undefined);
    case 'interrupted':
      return new ParleyError('conflict', 'The turn was interrupted before it was complete.');
    default:
      return outcome satisfies never;
  }
}
