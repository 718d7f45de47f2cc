// Text from terminals, without what only a terminal understands.
const escape = String.fromCodePoint(0x1b);
const colours = new RegExp(`${escape}\\[[0-9;?]*[A-Za-z]`, 'g');

export function withoutColours(output: string): string {
  return output.includes(escape) ? output.replaceAll(colours, '') : output;
}
