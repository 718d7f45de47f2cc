// The colours that a line had, for the line as it is now: while it is being written, what was added stands plain.
import type { ColouredLine, Token } from './colour-wire.ts';

export function fitColours(text: string, coloured: ColouredLine | undefined): readonly Token[] {
  if (!coloured || !text.startsWith(coloured.text)) return [plain(text)];
  if (text === coloured.text) return coloured.tokens;
  return [...coloured.tokens, plain(text.slice(coloured.text.length))];
}

function plain(text: string): Token {
  return { text, style: {} };
}
