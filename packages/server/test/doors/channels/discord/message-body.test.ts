import { describe, expect, it } from 'vitest';
import { toDiscordMarkdown } from '../../../../src/doors/channels/discord/markdown.ts';
import { sendBody, toComponents } from '../../../../src/doors/channels/discord/message-body.ts';
import { endOf, justBefore, timeOf } from '../../../../src/doors/channels/discord/snowflakes.ts';

const button = (number: number) => ({ label: `Button ${number}`, data: `b:${number}` });
const labelsOf = (rows: ReturnType<typeof toComponents>) =>
  rows.map(({ components }) => components.map(({ label }) => label));

describe('buttons for Discord', () => {
  it('stay in their rows where these fit', () => {
    expect(labelsOf(toComponents([[button(1), button(2)], [button(3)]]))).toEqual([
      ['Button 1', 'Button 2'],
      ['Button 3'],
    ]);
    expect(toComponents([])).toEqual([]);
  });

  it('are put together where there are too many rows', () => {
    const rows = labelsOf(toComponents(Array.from({ length: 8 }, (_, index) => [button(index)])));
    expect(rows.flat()).toHaveLength(8);
    expect(rows.length).toBeLessThanOrEqual(5);
    const many = labelsOf(toComponents(Array.from({ length: 40 }, (_, index) => [button(index)])));
    expect(many.map((row) => row.length)).toEqual([5, 5, 5, 5, 5]);
  });

  it('have labels that the service takes', () => {
    const [[label = ''] = []] = labelsOf(toComponents([[{ label: '👩‍👩‍👧‍👦'.repeat(40), data: 'x' }]]));
    expect(label.length).toBeLessThanOrEqual(80);
    expect(label.endsWith('…')).toBe(true);
  });
});

describe('Markdown for Discord', () => {
  it('has its tables in code, its deep headings bold, and no pictures', () => {
    const text = '#### Deep\n---\n![plan](https://example.org/a.png)\n| a | b |\n|---|---|\n| 1 | 2 |\n# Top';
    expect(toDiscordMarkdown(text)).toBe(
      '**Deep**\n———\n[plan](https://example.org/a.png)\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n# Top',
    );
  });

  it('keeps the rest as it was written', () => {
    const text = '####\n\n> | a |\n> |---|\n\n1) `![a](https://b.c)` ![d](e.png)\n\n\n<u>x</u> &amp; [^1]';
    expect(toDiscordMarkdown(text)).toBe(text);
  });

  it('stays as it is within code', () => {
    const text = '```md\n#### Deep\n| a |\n|---|\n---\n```';
    expect(toDiscordMarkdown(text)).toBe(text);
  });

  it('is sent as it was when it would get too long', async () => {
    const table = '| a | b |\n|---|---|\n| 1 | 2 |\n\n';
    const text = table.repeat(Math.floor(2_000 / table.length));
    expect((await sendBody({ text }, 'n')).content).toBe(text);
  });
});

describe('the ids of Discord', () => {
  it('hold their time', () => {
    expect(timeOf('175928847299117063')).toBe(1_462_015_105_796);
    expect(BigInt(justBefore(1_462_015_105_796))).toBeLessThan(175928847299117063n);
    expect(BigInt(endOf(1_462_015_105_796))).toBeGreaterThan(175928847299117063n);
    expect(justBefore(0)).toBe('0');
  });
});
