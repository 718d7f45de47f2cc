// Colours of code that is still being written.
import { describe, expect, it } from 'vitest';
import { fitColours } from '../src/ui/code/fit-colours.ts';

const style = { '--shiki-light': '#d73a49' };
const coloured = {
  text: 'let a',
  tokens: [
    { text: 'let', style },
    { text: ' a', style: {} },
  ],
};

describe('the colours that a line had', () => {
  it('stay as they are on the same line', () => {
    expect(fitColours('let a', coloured)).toBe(coloured.tokens);
  });

  it('stay in front of what was added', () => {
    expect(fitColours('let a = 1', coloured)).toEqual([...coloured.tokens, { text: ' = 1', style: {} }]);
  });

  it('are gone from another line', () => {
    for (const line of ['const', '']) expect(fitColours(line, coloured)).toEqual([{ text: line, style: {} }]);
    expect(fitColours('let a', undefined)).toEqual([{ text: 'let a', style: {} }]);
  });
});
