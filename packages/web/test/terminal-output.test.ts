// Output of commands, written for a terminal.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cutRuns, styledRuns, withoutStyles } from '../src/conversation/tools/terminal-output.ts';
import { terminalColors } from '../src/conversation/tools/terminal-style.ts';

/** An escape sequence. */
const esc = (rest: string) => `\u001b${rest}`;
const styleOf = (parameters: string) => styledRuns(`${esc(`[${parameters}m`)}x`)[0]?.style;

describe('colored text', () => {
  it('has the style that is in effect at its place', () => {
    expect(styledRuns(`a${esc('[31;1m')}b${esc('[22m')}c${esc('[m')}d\n`)).toEqual([
      { text: 'a', style: {} },
      { text: 'b', style: { color: 'red', isBold: true } },
      { text: 'c', style: { color: 'red', isBold: false, isDim: false } },
      { text: 'd\n', style: {} },
    ]);
  });

  it.each([
    ['30', { color: 'ink' }],
    ['32', { color: 'green' }],
    ['90', { color: 'gray' }],
    ['96', { color: 'bright-cyan' }],
    ['97', { color: 'ink' }],
    ['41', { background: 'red' }],
    ['104', { background: 'bright-blue' }],
    ['2;3;4;7', { isDim: true, isItalic: true, isUnderlined: true, isInverse: true }],
    ['4:3', { isUnderlined: true }],
    ['4;4:0', { isUnderlined: false }],
    ['31;39', { color: undefined }],
    ['38;5;9', { color: 'bright-red' }],
    ['38;5;208', { color: 'yellow' }],
    ['38;5;21;1', { color: 'blue', isBold: true }],
    ['48;5;244', { background: 'gray' }],
    ['38;5;255', { color: 'ink' }],
    ['38;2;255;0;170;4', { color: 'magenta', isUnderlined: true }],
    ['38:2::0:200:80', { color: 'green' }],
    ['38:5:51', { color: 'cyan' }],
    ['58;5;1;32', { color: 'green' }],
    ['38;2', { color: 'ink' }],
    ['38;5;99999', { color: 'ink' }],
    ['38;7;32', { color: 'green' }],
    ['73', {}],
  ])('gets its style from %s', (parameters, style) => {
    expect(styleOf(parameters)).toEqual(style);
  });

  it('is cut without losing its styles', () => {
    const runs = styledRuns(`ab${esc('[32m')}cd`);
    expect(cutRuns(runs, 3)).toEqual([
      { text: 'ab', style: {} },
      { text: 'c', style: { color: 'green' } },
    ]);
    expect(cutRuns(runs, 2)).toEqual([{ text: 'ab', style: {} }]);
  });
});

describe('what only a terminal understands', () => {
  it.each([
    ['moves and erasures', `a${esc('[2K')}${esc('[1;1H')}${esc('[?25l')}b`, 'ab'],
    ['a private sequence that ends like a style', `a${esc('[>4;2m')}b`, 'ab'],
    ['titles', `${esc(']0;title\u0007')}a`, 'a'],
    [
      'links, but not their words',
      `${esc(`]8;;https://example.org${esc('\\')}`)}a${esc(`]8;;${esc('\\')}`)}`,
      'a',
    ],
    ['sets of letters', `${esc('(B')}a${esc('=')}`, 'a'],
    ['bells, backspaces and nothings', 'a\u0007\u0008\u0000\u007fb', 'ab'],
    ['sequences of one byte', 'a\u009b31mb\u0085', 'ab'],
    ['an escape at the end', `a${esc('')}`, 'a'],
    ['a sequence without an end', `a${esc('[31')}`, 'a'],
  ])('is dropped: %s', (_what, output, text) => {
    expect(withoutStyles(output)).toBe(text);
  });

  it('hides no text: an overwritten line stays a line, and a title without an end is text', () => {
    expect(withoutStyles('10 %\r20 %\r\ndone\tnow')).toBe('10 %\n20 %\ndone\tnow');
    expect(withoutStyles(`${esc(']0;rm -rf /')}\nnext`)).toBe('0;rm -rf /\nnext');
    expect(withoutStyles(`${esc('[31')}ünder`)).toBe('ünder');
  });
});

describe('hostile output', () => {
  it('has a bounded number of runs and all of its text', () => {
    const runs = styledRuns(esc('[31mx') + esc('[32my').repeat(20_000));
    expect(runs.length).toBeLessThanOrEqual(5_001);
    expect(runs.map(({ text }) => text).join('')).toBe(`x${'y'.repeat(20_000)}`);
  });

  // Reading these again from every position would take minutes.
  it.each([
    ['escapes', esc('')],
    ['started sequences', esc('[')],
    ['started titles', esc(']')],
    ['started strings with words', esc('Pab')],
    ['numbers', '1;'],
    ['styles', esc('[38;2;1m')],
    ['spaces after an escape', `${esc('')}  `],
  ])('is parsed in one pass: %s', (_what, piece) => {
    const unfinished = esc('[') + piece.repeat(300_000);
    expect(withoutStyles(unfinished).length).toBeLessThanOrEqual(unfinished.length);
  });
});

describe('the terminal colors of the page', () => {
  const theme = readFileSync(new URL('../src/app/theme.css', import.meta.url), 'utf8');
  const own = readFileSync(new URL('../src/conversation/tools/terminal-colors.css', import.meta.url), 'utf8');

  it.each([
    ['light', 0],
    ['dark', 1],
  ])('are legible on every background of the %s theme', (_name, at) => {
    const valueOf = (name: string): string => {
      const values = [...`${theme}${own}`.matchAll(new RegExp(`--${name}: (?!light-dark)([^;]+);`, 'g'))].map(
        ([, value = '']) => value,
      );
      const value = values[at] ?? values[0] ?? '';
      return value.startsWith('var(--') ? valueOf(value.slice(6, -1)) : value;
    };
    for (const color of terminalColors) {
      for (const background of ['raised', 'paper', 'sunken', 'code'])
        expect(contrast(valueOf(`terminal-${color}`), valueOf(background))).toBeGreaterThanOrEqual(4.5);
    }
  });
});

/** As WCAG defines it. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.039_28 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
