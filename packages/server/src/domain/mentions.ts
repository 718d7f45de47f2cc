// Finds out whether a text mentions somebody by name.

/** Matches whole words, in any case, with or without an @ in front. */
export function isNamedIn(text: string, names: readonly string[]): boolean {
  const said = text.toLowerCase();
  return names.some((name) => name !== '' && hasWord(said, name.toLowerCase()));
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true;
  }
  return false;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}
