// The words of a query, and the text around the first of them that occurs.

const wordPattern = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const wordsBefore = 8;
const maxWords = 24;
/** Words can be long. */
const maxChars = 300;

export function wordsOf(text: string): readonly string[] {
  return text.match(wordPattern) ?? [];
}

/** Like the index, it ignores case and accents, and the last word may be the start of one. */
export function snippetOf(text: string, words: readonly string[]): string {
  const composed = text.normalize('NFC');
  const starts = words.map(folded).join('|');
  // Folding a composed letter rarely changes its length; if it does, the snippet is a few letters off.
  const hit = new RegExp(`(?<![\\p{L}\\p{N}\\p{Co}])(?:${starts})`, 'u').exec(folded(composed));
  return around(composed, hit?.index ?? 0);
}

/** Without case and accents, like the index. */
export function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The text around a place, on one line. */
export function excerptOf(text: string, at: number): string {
  return around(text, at).replaceAll(/\s+/g, ' ');
}

function around(text: string, at: number): string {
  const start = startBefore(text, at);
  const end = endAfter(text, start);
  const middle = text.slice(start, end).trim();
  return `${start > 0 ? '…' : ''}${middle}${end < text.length ? '…' : ''}`;
}

function startBefore(text: string, position: number): number {
  const from = Math.max(0, position - maxChars / 3);
  const begins = [...text.slice(from, position).matchAll(wordPattern)].map(({ index }) => from + index);
  if (begins.length <= wordsBefore && from === 0) return 0;
  // The first word may be the rest of a longer one.
  return begins.slice(from > 0 ? 1 : 0).at(-wordsBefore) ?? position;
}

function endAfter(text: string, start: number): number {
  const part = text.slice(start, start + maxChars);
  const next = [...part.matchAll(wordPattern)][maxWords];
  if (next) return start + next.index;
  return Math.min(start + maxChars, text.length);
}
