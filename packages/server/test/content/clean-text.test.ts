// What happens to a typed text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanMessage, cleanText } from '../../src/content/clean-text.ts';

describe('cleanText', () => {
  it.each([
    ['letters in one form', 'Cafe\u0301', 'Café'],
    ['line breaks and tabs', 'a\n\tb', 'a\n\tb'],
    ['the line ends of other systems', 'a\r\nb\rc', 'a\nb\nc'],
    ['no NUL', 'a\0b', 'ab'],
    ['no escape sequence of a terminal', '\u001b[31mred\u009b0m', '[31mred0m'],
    ['no bell, no delete', 'a\u0007b\u007fc', 'abc'],
    ['no override of the reading direction', 'user\u202Egpj.exe\u202C', 'usergpj.exe'],
    ['no isolates', '\u2066a\u2069', 'a'],
    ['the plain marks of right-to-left scripts', 'א\u200Fb', 'א\u200Fb'],
    ['emoji with their joiners', '👩\u200D🍳', '👩\u200D🍳'],
    ['half of a surrogate pair as a replacement', 'a\uD83Db\uDC69', 'a\uFFFDb\uFFFD'],
  ])('has %s', (_, typed, cleaned) => {
    expect(cleanText(typed)).toBe(cleaned);
  });

  it('changes nothing the second time, and removes everything it should', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (typed) => {
        const cleaned = cleanText(typed);
        expect(cleanText(cleaned)).toBe(cleaned);
        expect(cleaned).not.toMatch(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/u);
        expect(() => encodeURIComponent(cleaned)).not.toThrow();
      }),
    );
  });
});

describe('cleanMessage', () => {
  it('refuses a text that is too long after cleaning, with a sentence', () => {
    expect(cleanMessage(`${'\0'.repeat(9)}abcde`, 5)).toBe('abcde');
    expect(() => cleanMessage('abcdef', 5)).toThrow(
      expect.objectContaining({
        code: 'too_large',
        message: '`message` is longer than 5 characters. Send it in parts.',
      }),
    );
    // Without cleaning it first, which would take several times its memory.
    expect(() => cleanMessage(`${'\0'.repeat(99)}abcde`, 5)).toThrow(/is longer than 5 characters/);
  });
});
