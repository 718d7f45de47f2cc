// Recognizes what a person said in the record of a session. Pure.
import type { PastEntry } from '@parley/protocol';

/** Not the result of a tool, and not the instructions of a subagent. */
export function isPrompt({ event }: PastEntry): boolean {
  if (event.type !== 'frame' || event.subagent !== undefined) return false;
  return event.means.some(
    (meaning) =>
      meaning.type === 'message' &&
      meaning.role === 'user' &&
      meaning.content.some(({ type }) => type === 'text' || type === 'image' || type === 'document'),
  );
}
