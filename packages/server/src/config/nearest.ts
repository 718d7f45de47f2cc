// Finds the word that somebody probably meant.

/** The candidate closest to the word by edits, undefined when none is close. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: editsBetween(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  if (!best || best.edits > Math.max(2, word.length / 3) || best.edits >= best.candidate.length)
    return undefined;
  return best.candidate;
}

/** Insertions, deletions, changes and swaps of neighbours that turn one word into the other. */
function editsBetween(a: string, b: string): number {
  const cost: number[][] = Array.from({ length: a.length + 1 }, (_, row) => [row]);
  const at = (row: number, column: number) => cost[row]?.[column] ?? column;
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      (cost[row] ??= [])[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + change,
        swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(a.length, b.length);
}
