// Highlighted code, line by line: plain at first, highlighted when the worker has answered.
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { HighlightedLine, Token } from './highlight-wire.ts';
import { BlockHighlighter } from './highlighter.ts';

/** By line. Code that is still being written keeps the highlighting it has so far. */
export function useHighlighting(
  language: string,
  code: string,
  isComplete: boolean,
): readonly HighlightedLine[] {
  // One for all versions of the block: `code` is only its first one.
  const highlighter = useMemo(() => new BlockHighlighter(language, code), [language]);
  useEffect(() => highlighter.want({ code, isComplete }), [highlighter, code, isComplete]);
  return useSyncExternalStore(highlighter.lines.subscribe, highlighter.lines.snapshot);
}

/** Goes inside an element with the class `highlighted`. */
export function HighlightedText({
  text,
  highlighted,
}: {
  text: string;
  highlighted: HighlightedLine | undefined;
}) {
  return fitHighlighting(text, highlighted).map((token, at) => (
    <span key={at} style={token.style}>
      {token.text}
    </span>
  ));
}

/** Text added to a line since it was highlighted stays plain. */
export function fitHighlighting(text: string, highlighted: HighlightedLine | undefined): readonly Token[] {
  if (!highlighted || !text.startsWith(highlighted.text)) return [plain(text)];
  if (text === highlighted.text) return highlighted.tokens;
  return [...highlighted.tokens, plain(text.slice(highlighted.text.length))];
}

function plain(text: string): Token {
  return { text, style: {} };
}
