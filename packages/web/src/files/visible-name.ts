// A file name as a person can read it: what is invisible in it, or would turn other text around, is written out.

export function visibleName(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === '\n') return '⏎';
    if (character === '\t') return '⇥';
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
