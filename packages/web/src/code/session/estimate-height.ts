// How tall a row will probably be, before it is drawn: the nearer, the less there is to correct while one scrolls.
import type { Item } from '../model/items.ts';
import type { Row } from './rows.ts';

const lineHeight = 26;
const lettersPerLine = 90;
const gap = 16;

export function estimateHeight(row: Row | undefined): number {
  if (!row) return lineHeight + gap;
  switch (row.type) {
    case 'item':
      return gap + itemHeight(row.item);
    case 'partial':
      return gap + textHeight(row.block.text);
    case 'sent':
      return gap + 60;
    default:
      return row satisfies never;
  }
}

function itemHeight(item: Item): number {
  switch (item.kind) {
    case 'prompt':
      return 32 + textHeight(item.text);
    case 'text':
      return textHeight(item.text);
    case 'tool':
      return ['Bash', 'Edit', 'Write', 'MultiEdit'].includes(item.name) ? 130 : 40;
    case 'thinking':
    case 'note':
    case 'result':
    case 'raw':
      return lineHeight;
    default:
      return item satisfies never;
  }
}

function textHeight(text: string): number {
  const lines = text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lettersPerLine)), 0);
  return Math.min(lines, 200) * lineHeight;
}
