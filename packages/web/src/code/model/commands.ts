// Commands of the program, such as `/model opus`: they come back from it between tags of its own.

/** As a person typed it. */
export function commandIn(words: string): string | undefined {
  const name = between(words, 'command-name');
  return name === undefined ? undefined : `${name} ${between(words, 'command-args') ?? ''}`.trim();
}

/** What stands between a tag and its end, or the end of everything. */
export function between(words: string, tag: string): string | undefined {
  const begin = words.indexOf(`<${tag}>`);
  if (begin < 0) return undefined;
  const end = words.indexOf(`</${tag}>`, begin);
  return words.slice(begin + tag.length + 2, end < 0 ? undefined : end);
}
