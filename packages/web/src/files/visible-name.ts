// Makes a file name readable: writes out characters that are invisible or reverse the direction of text.

export function visibleName(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === '\n') return '⏎';
    if (character === '\t') return '⇥';
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
