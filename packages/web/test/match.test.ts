// How well a name fits what somebody typed.
import { describe, expect, it } from 'vitest';
import { bestMatches, score } from '../src/palette/match.ts';

describe('a name in the palette', () => {
  it.each([
    ['New conversation', 'conv new'],
    ['New conversation', 'nc'],
    ['Toggle dark mode', 'dark'],
    ['Settings', 'stngs'],
    ['Über die Äpfel', 'uber apf'],
    ['packages/web/src/main.tsx', 'main'],
  ])('%s fits “%s”', (name, query) => expect(score(name, query)).toBeGreaterThan(0));

  it.each([
    ['New conversation', 'conversation old'],
    ['Toggle dark mode', 'tulips'],
    ['Log out', 'xo'],
  ])('%s does not fit “%s”', (name, query) => expect(score(name, query)).toBe(0));

  it('is ranked: whole words, then starts, then parts', () => {
    const names = ['Unmarked', 'Marketing', 'A mark', 'Other'];
    expect(bestMatches(names, (name) => name, 'mark')).toEqual(['A mark', 'Marketing', 'Unmarked']);
  });
});
