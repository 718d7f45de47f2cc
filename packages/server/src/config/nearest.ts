// Suggests the word that somebody probably meant.
import leven from 'leven';

/** The candidate with the fewest edits from the word, or undefined if none is close. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: leven(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  if (!best || best.edits > Math.max(2, word.length / 3) || best.edits >= best.candidate.length)
    return undefined;
  return best.candidate;
}
