// Colours of code that is still being written.
import { describe, expect, it } from 'vitest';
import { fencedCode } from '../src/ui/code/fenced-code.ts';
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

describe('a block that is code as a whole', () => {
  it('is told with its language, open or closed', () => {
    const code = 'let a = `b`;';
    for (const fence of ['```', '~~~', '`````']) {
      const open = `${fence}ts title="x"\n${code}`;
      expect(fencedCode(open)).toEqual({ language: 'ts', code, isComplete: false });
      expect(fencedCode(`${open}\n${fence}\n\n`)).toEqual({ language: 'ts', code, isComplete: true });
    }
    expect(fencedCode('```')).toEqual({ language: '', code: '', isComplete: false });
  });

  it('does not show the first marks of its closing fence', () => {
    for (const half of ['`', '``']) expect(fencedCode(`\`\`\`\nx\n${half}`)?.code).toBe('x');
    expect(fencedCode('```\nx\n`y')?.code).toBe('x\n`y');
  });

  it('may have shorter fences in it', () => {
    const inner = '```\ninside\n```';
    expect(fencedCode(`\`\`\`\`md\n${inner}\n\`\`\`\``)).toEqual({
      language: 'md',
      code: inner,
      isComplete: true,
    });
  });

  it('is not what has words before, after or in its first line', () => {
    for (const block of ['Words\n```\nx\n```', '```\nx\n```\nwords', '```x``` words', '    ```\n    x', ''])
      expect(fencedCode(block)).toBeUndefined();
  });
});
