import { describe, expect, it } from 'vitest';
import { toDiscordMarkdown } from '../../../../src/doors/bots/discord/markdown.ts';
import { sendBody, toComponents } from '../../../../src/doors/bots/discord/message-body.ts';
import { greatestAt, justBefore, timeOf } from '../../../../src/doors/bots/discord/snowflakes.ts';

const button = (number: number) => ({ label: `Button ${number}`, data: `b:${number}` });
const labelsOf = (rows: ReturnType<typeof toComponents>) =>
  rows.map(({ components }) => components.map(({ label }) => label));

describe('buttons for Discord', () => {
  it('stay in their rows when the rows fit', () => {
    expect(labelsOf(toComponents([[button(1), button(2)], [button(3)]]))).toEqual([
      ['Button 1', 'Button 2'],
      ['Button 3'],
    ]);
    expect(toComponents([])).toEqual([]);
  });

  it('are merged when there are too many rows', () => {
    const rows = labelsOf(toComponents(Array.from({ length: 8 }, (_, index) => [button(index)])));
    expect(rows.flat()).toHaveLength(8);
    expect(rows.length).toBeLessThanOrEqual(5);
    const many = labelsOf(toComponents(Array.from({ length: 40 }, (_, index) => [button(index)])));
    expect(many.map((row) => row.length)).toEqual([5, 5, 5, 5, 5]);
  });

  it('have labels that Discord accepts', () => {
    const [[label = ''] = []] = labelsOf(toComponents([[{ label: '👩‍👩‍👧‍👦'.repeat(40), data: 'x' }]]));
    expect(label.length).toBeLessThanOrEqual(80);
    expect(label.endsWith('…')).toBe(true);
  });
});

describe('Markdown for Discord', () => {
  it('shows tables as code, deep headings as bold, and pictures as links', () => {
    const text = '#### Deep\n---\n![plan](https://example.org/a.png)\n| a | b |\n|---|---|\n| 1 | 2 |\n# Top';
    expect(toDiscordMarkdown(text)).toBe(
      '**Deep**\n———\n[plan](https://example.org/a.png)\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n# Top',
    );
  });

  it('stays unchanged otherwise', () => {
    const text = '####\n\n> | a |\n> |---|\n\n1) `![a](https://b.c)` ![d](e.png)\n\n\n<u>x</u> &amp; [^1]';
    expect(toDiscordMarkdown(text)).toBe(text);
  });

  it('stays unchanged in code', () => {
    const text = '```md\n#### Deep\n| a |\n|---|\n---\n```';
    expect(toDiscordMarkdown(text)).toBe(text);
  });

  it('is sent unchanged when it would get too long', async () => {
    const table = '| a | b |\n|---|---|\n| 1 | 2 |\n\n';
    const text = table.repeat(Math.floor(2_000 / table.length));
    expect((await sendBody({ text }, 'n')).content).toBe(text);
  });
});

describe('Discord ids', () => {
  it('contain their time', () => {
    expect(timeOf('175928847299117063')).toBe(1_462_015_105_796);
    expect(BigInt(justBefore(1_462_015_105_796))).toBeLessThan(175928847299117063n);
    expect(BigInt(greatestAt(1_462_015_105_796))).toBeGreaterThan(175928847299117063n);
    expect(justBefore(0)).toBe('0');
  });
});
