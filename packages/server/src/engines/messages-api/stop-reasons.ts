// What a person is told about the way a reply ended.
import type { TurnEvent } from '@parley/protocol';

/** Undefined when the reply ended as replies do. */
export function stopNotice(stopReason: string | undefined): TurnEvent | undefined {
  switch (stopReason) {
    case 'max_tokens':
      return notice(
        'reply-cut',
        'The answer reached its length limit and was cut. Ask to go on to get the rest.',
      );
    case 'model_context_window_exceeded':
      return notice(
        'reply-cut',
        'The conversation has filled all the room that the model has. Start a new one to go on.',
      );
    case 'refusal':
      return notice(
        'refused',
        'Claude declined to answer. Put it in other words, or start a new conversation.',
      );
    case 'pause_turn':
      return notice('tool-limit', 'The model wanted to use more tools than one turn allows. Ask to go on.');
    default:
      return undefined;
  }
}

/** For a reply without any words. */
export function closingWords(stopReason: string | undefined): string {
  switch (stopReason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'I ran out of room before I could answer. Please ask again, perhaps for less at once.';
    case 'refusal':
      return 'I cannot help with this request.';
    case 'tool_use':
    case 'pause_turn':
      return 'I stopped here because I have used all the tool calls that one turn allows. Ask me to go on if you like.';
    default:
      return 'I have nothing to add.';
  }
}

function notice(code: string, message: string): TurnEvent {
  return { type: 'notice', code, message };
}
