// Finds the known word that somebody probably meant: the closest one by edits, if it is close at all.

export function nearest(word: string, known: readonly string[]): string | undefined {
  const wanted = simplify(word);
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, simplify(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `maxTurns`, `max-turns` and `max_turns` are the same word to a person. */
function simplify(word: string): string {
  return word
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/** Levenshtein distance, or `limit` when it is at least that. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return Math.min(row[b.length] as number, limit);
}
