// The rows of a diff, and the suggestion for a commit.
import { describe, expect, it } from 'vitest';
import { diffRows } from '../src/changes/diff-rows.ts';
import { suggestedMessage } from '../src/changes/suggested-message.ts';

const hunks = [
  { oldStart: 1, newStart: 1, lines: [' same', '-old 1', '-old 2', '+new 1', ' end'] },
  { oldStart: 9, newStart: 8, lines: ['+last'] },
];

describe('the rows of a diff', () => {
  it('puts what was removed next to what replaced it [app.changes.page.diff]', () => {
    const { rows, before, after } = diffRows(hunks, true);
    const shown = rows.map((row) =>
      row.kind === 'pair'
        ? [row.before?.oldNumber, row.before?.text, row.after?.newNumber, row.after?.text]
        : row.kind,
    );
    expect(shown).toEqual([
      [1, 'same', 1, 'same'],
      [2, 'old 1', 2, 'new 1'],
      [3, 'old 2', undefined, undefined],
      [4, 'end', 3, 'end'],
      'gap',
      [undefined, undefined, 8, 'last'],
    ]);
    expect(before.split('\n')).toEqual(['same', 'old 1', 'old 2', 'end']);
    expect(after.split('\n')).toEqual(['same', 'new 1', 'end', 'last']);
  });

  it('knows where each line is in the text of its side [app.changes.page.diff]', () => {
    const { rows, before, after } = diffRows(hunks, false);
    for (const row of rows) {
      if (row.kind !== 'line') continue;
      const side = row.cell.kind === 'removed' ? before : after;
      expect(side.split('\n')[row.cell.at]).toBe(row.cell.text);
    }
    expect(rows).toHaveLength(7);
  });
});

describe('the suggested message', () => {
  it('is the first line of the prompt, as far as it fits [app.changes.page.commit]', () => {
    expect(suggestedMessage('Fix the tests\nPlease.', 'Title')).toBe('Fix the tests');
    expect(suggestedMessage(undefined, 'Title')).toBe('Title');
    expect(suggestedMessage('word '.repeat(40), '')).toMatch(/^(word ?)+…$/);
    expect(suggestedMessage('x'.repeat(200), '').length).toBeLessThan(80);
  });
});
