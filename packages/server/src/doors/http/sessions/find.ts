// Finds text in the turns of a conversation. Pure.
import { promptText, type Turn } from '@parley/protocol';
import { excerptOf, wordsOf } from '../../../content/snippet.ts';
import type { SessionHit } from '../../../domain/code-sessions.ts';

export function findInTurns(turns: readonly Turn[], wanted: string): SessionHit[] {
  return turns.flatMap(({ id, prompt, text }) => [
    ...hitIn(id, 'user', promptText(prompt), wanted),
    ...hitIn(id, 'assistant', text, wanted),
  ]);
}

export function longestWord(text: string): string {
  return wordsOf(text).reduce((longest, word) => (word.length > longest.length ? word : longest), '') || text;
}

function hitIn(id: string, role: SessionHit['role'], text: string, wanted: string): SessionHit[] {
  const at = text.toLowerCase().indexOf(wanted.trim().toLowerCase());
  return at === -1 ? [] : [{ id, role, snippet: excerptOf(text, at) }];
}
