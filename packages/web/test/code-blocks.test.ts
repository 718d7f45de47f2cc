// Code blocks in answers, also while they are being written.
import { describe, expect, it } from 'vitest';
import { fencedCode } from '../src/ui/code/fenced-code.ts';
import { fitHighlighting } from '../src/ui/code/highlighted-text.tsx';

const style = { '--shiki-light': '#d73a49' };
const highlighted = {
  text: 'let a',
  tokens: [
    { text: 'let', style },
    { text: ' a', style: {} },
  ],
};

describe('the highlighting of a line', () => {
  it('stays the same on the same line', () => {
    expect(fitHighlighting('let a', highlighted)).toBe(highlighted.tokens);
  });

  it('stays in front of added text', () => {
    expect(fitHighlighting('let a = 1', highlighted)).toEqual([
      ...highlighted.tokens,
      { text: ' = 1', style: {} },
    ]);
  });

  it('is dropped from a different line', () => {
    for (const line of ['const', ''])
      expect(fitHighlighting(line, highlighted)).toEqual([{ text: line, style: {} }]);
    expect(fitHighlighting('let a', undefined)).toEqual([{ text: 'let a', style: {} }]);
  });
});

describe('a block that is all code', () => {
  it('is recognized with its language, open or closed', () => {
    const code = 'let a = `b`;';
    for (const fence of ['```', '~~~', '`````']) {
      const open = `${fence}ts title="x"\n${code}`;
      expect(fencedCode(open)).toEqual({ language: 'ts', code, isComplete: false });
      expect(fencedCode(`${open}\n${fence}\n\n`)).toEqual({ language: 'ts', code, isComplete: true });
    }
    expect(fencedCode('```')).toEqual({ language: '', code: '', isComplete: false });
  });

  it('hides the first characters of its closing fence', () => {
    for (const half of ['`', '``']) expect(fencedCode(`\`\`\`\nx\n${half}`)?.code).toBe('x');
    expect(fencedCode('```\nx\n`y')?.code).toBe('x\n`y');
  });

  it('may contain shorter fences', () => {
    const inner = '```\ninside\n```';
    expect(fencedCode(`\`\`\`\`md\n${inner}\n\`\`\`\``)).toEqual({
      language: 'md',
      code: inner,
      isComplete: true,
    });
  });

  it('has no text before, after or in its first line', () => {
    for (const block of ['Words\n```\nx\n```', '```\nx\n```\nwords', '```x``` words', '    ```\n    x', ''])
      expect(fencedCode(block)).toBeUndefined();
  });
});
