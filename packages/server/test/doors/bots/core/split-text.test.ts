import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutIntoPieces,
  type Fence,
  fenceAfter,
  splitText,
} from '../../../../src/doors/bots/core/split-text.ts';

const awkward = fc.array(
  fc.oneof(
    fc.constantFrom(
      '```ts\n',
      '```\n',
      '~~~~\n',
      '````md\n',
      '\n\n',
      '\n',
      ' ',
      '| a | b |\n|---|---|\n',
      '👩‍👩‍👧‍👦',
      '🇩🇪',
      'e\u0301\u0301',
      'שלום עולם ',
      'مرحبا ',
      'x'.repeat(300),
    ),
    fc.lorem({ maxCount: 20 }),
    fc.string({ unit: 'binary', maxLength: 80 }),
  ),
  { maxLength: 60 },
);

describe('a long text', () => {
  it('is complete and in order across its messages, and none is too long', () => {
    fc.assert(
      fc.property(awkward, fc.integer({ min: 32, max: 400 }), (parts, limit) => {
        const text = parts.join('');
        const pieces = cutIntoPieces(text, limit);
        expect(pieces.map(({ body }) => body).join('')).toBe(text);
        for (const { before, body, after } of pieces) {
          expect((before + body + after).length).toBeLessThanOrEqual(limit);
          expect(body).not.toBe('');
        }
        for (const message of splitText(text, limit)) expect(message.length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 500 },
    );
  });

  it('has every code block closed at the end of a message and reopened in the next', () => {
    fc.assert(
      fc.property(awkward, fc.integer({ min: 64, max: 400 }), (parts, limit) => {
        let open: Fence | undefined;
        const pieces = cutIntoPieces(parts.join(''), limit);
        for (const { before, body } of pieces) {
          expect(before !== '').toBe(open !== undefined);
          open = fenceOver(before + body);
        }
        // A text may end inside a code block.
        for (const { before, body, after } of pieces.slice(0, -1)) {
          expect(fenceOver(before + body + after)).toBeUndefined();
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is not cut inside a character unless it must be', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('👩‍👩‍👧‍👦', '🇩🇪', 'e\u0301', '漢', '😀'), { minLength: 50, maxLength: 400 }),
        (characters) => {
          const whole: ReadonlySet<string> = new Set(characters);
          const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
          for (const message of splitText(characters.join(' '), 100)) {
            for (const { segment } of segmenter.segment(message))
              expect(segment === ' ' || whole.has(segment)).toBe(true);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is cut between paragraphs, and before code rather than inside it', () => {
    const paragraph = `${'word '.repeat(30)}\n\n`;
    const code = `\`\`\`ts\n${'const a = 1;\n'.repeat(10)}\`\`\`\n`;
    const messages = splitText(`${paragraph}${paragraph}${code}After.`, 400);
    expect(messages[0]).toBe(`${paragraph}${paragraph}`.trimEnd());
    expect(messages[1]).toBe(`${code}After.`);
  });

  it.each([
    ['in one line', ' '],
    ['in wrapped lines', ' of things\nthat '],
  ])(
    'is cut at the end of a sentence where there is no paragraph, %s [channels.answers.sentences]',
    (_, space) => {
      const sentence = `Dr. Who found e.g. 3.5 ${'words '.repeat(8)}${space}go on “like this”. `;
      const messages = splitText(sentence.repeat(40), 400);
      expect(messages.length).toBeGreaterThan(4);
      for (const message of messages) expect(message).toMatch(/^Dr\. Who[\s\S]*like this”\.$/);
    },
  );

  it('is cut at the end of a line of a list, not at a sentence in it', () => {
    const messages = splitText('- First. Then a second sentence\n'.repeat(40), 400);
    for (const message of messages) expect(message).toMatch(/^- First[\s\S]*second sentence$/);
  });

  it('reopens a code block with its language', () => {
    const messages = splitText(`\`\`\`python\n${'print(1)\n'.repeat(100)}\`\`\``, 200);
    expect(messages.length).toBeGreaterThan(4);
    for (const message of messages) {
      expect(message.startsWith('```python\nprint(1)')).toBe(true);
      expect(message.endsWith('print(1)\n```')).toBe(true);
    }
  });

  it('can be 100 KB long', () => {
    const text = Array.from({ length: 2_000 }, (_, line) => `Line ${line}: ${'äöü '.repeat(10)}`).join('\n');
    const messages = splitText(text, 4_096);
    expect(messages.join('\n').replaceAll(/\s+/g, ' ')).toBe(text.replaceAll(/\s+/g, ' ').trim());
  });
});

function fenceOver(text: string): Fence | undefined {
  return text.split('\n').reduce<Fence | undefined>((open, line) => fenceAfter(line, open), undefined);
}
