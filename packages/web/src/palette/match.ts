// Scores how well a name fits what somebody typed: words in any order, the start of words, initials, or a word with
// letters left out.

/** 0 if it doesn't fit; higher is better. */
export function score(name: string, query: string): number {
  const wanted = words(query);
  const given = words(name);
  let sum = 1;
  for (const one of wanted) {
    const best = Math.max(initialsScore(given, one), ...given.map((word) => wordScore(word, one)));
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}

/** The items that fit, best first. Ties keep their order. */
export function bestMatches<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  query: string,
): Item[] {
  return items
    .map((item) => ({ item, points: score(nameOf(item), query) }))
    .filter((one) => one.points > 0)
    .toSorted((a, b) => b.points - a.points)
    .map(({ item }) => item);
}

function wordScore(word: string, wanted: string): number {
  if (word === wanted) return 5;
  if (word.startsWith(wanted)) return 4;
  if (word.includes(wanted)) return 2;
  return wanted.length > 2 && hasLetters(word, wanted) ? 1 : 0;
}

/** “nc” fits “New conversation”. */
function initialsScore(given: readonly string[], wanted: string): number {
  const initials = given.map((word) => word[0]).join('');
  return wanted.length > 1 && initials.includes(wanted) ? 3 : 0;
}

/** Whether the word has these letters in this order, starting with its first, with a few left out. */
function hasLetters(word: string, wanted: string): boolean {
  if (word[0] !== wanted[0] || word.length > 2 * wanted.length) return false;
  let at = 0;
  for (const letter of wanted) {
    at = word.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function words(text: string): readonly string[] {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[\s:,./_()-]+/)
    .filter(Boolean);
}
