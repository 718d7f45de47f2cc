// Code in its colours, line by line: plain at first, coloured when the worker has answered.
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { ColouredLine } from './colour-wire.ts';
import { Colours } from './colours.ts';
import { fitColours } from './fit-colours.ts';

/** By line. Code that is still being written keeps the colours that it has so far. */
export function useColours(language: string, code: string, isComplete: boolean): readonly ColouredLine[] {
  // One for all versions of the block: `code` is only what it begins with.
  const colours = useMemo(() => new Colours(language, code), [language]);
  useEffect(() => colours.want({ code, isComplete }), [colours, code, isComplete]);
  return useSyncExternalStore(colours.subscribe, colours.lines);
}

/** Below an element of the class `coloured`. */
export function ColouredText({ text, coloured }: { text: string; coloured: ColouredLine | undefined }) {
  return fitColours(text, coloured).map((token, at) => (
    <span key={at} style={token.style}>
      {token.text}
    </span>
  ));
}
