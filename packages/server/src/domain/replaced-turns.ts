// A prompt that is sent again after its turn did not finish replaces that turn. Pure.
import type { Prompt, Turn } from '@parley/protocol';

/** `failed`: an error or a crash of the server ended it. `stopped`: a person did. */
export type TurnEnd = 'completed' | 'failed' | 'stopped';

export function turnEndOf({ status, hasError }: { status: Turn['status']; hasError: boolean }): TurnEnd {
  if (status === 'failed' || hasError) return 'failed';
  return status === 'interrupted' ? 'stopped' : 'completed';
}

/** Without the attempts that a later attempt at the same prompt replaced. */
export function withoutReplaced(turns: readonly Turn[]): readonly Turn[] {
  return turns.filter((turn, at) => {
    const next = turns[at + 1];
    const end = turnEndOf({ status: turn.status, hasError: turn.error !== undefined });
    return next === undefined || end === 'completed' || !isSamePrompt(turn.prompt, next.prompt);
  });
}

function isSamePrompt(one: Prompt, other: Prompt): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
