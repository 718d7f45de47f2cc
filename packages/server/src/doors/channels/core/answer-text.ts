// What the chat gets to read when a turn is over. Every ending has words. Pure.
import type { TurnEnd } from './follow-turn.ts';

export interface AnswerContext {
  /** The turn ended in an earlier run of the server. */
  readonly isResumed: boolean;
  /** The turn was stopped because it went on for too many rounds of tools. */
  readonly roundLimit: number | undefined;
}

const fallbackText =
  'I did what you asked as far as I could, but have nothing to say about it. Ask me what I did, or put it differently.';

const cutOffText =
  'The server stopped while I was answering this, so it may be half done. Send it again if you still need it.';

export function answerText(end: TurnEnd, { isResumed, roundLimit }: AnswerContext): string {
  const text = end.text.trim();
  switch (end.outcome) {
    case 'completed':
      return text === '' ? fallbackText : end.text;
    case 'failed':
      return failureText(end.error?.message);
    case 'interrupted':
      if (roundLimit !== undefined) return withRemark(text, roundLimitText(roundLimit));
      return isResumed ? cutOffText : withRemark(text, 'Stopped.');
    case 'withdrawn':
      return 'This message was taken back before I came to it.';
    default:
      return end.outcome satisfies never;
  }
}

export function failureText(reason: string | undefined): string {
  const because = reason ? ` ${reason.trim()}` : '';
  return `Sorry, that did not work.${because}`;
}

function roundLimitText(most: number): string {
  return `I stopped after ${most} rounds of tools without coming to an end. Tell me to go on, or ask for something smaller.`;
}

function withRemark(text: string, remark: string): string {
  return text === '' ? remark : `${text}\n\n${remark}`;
}
