// The rows of a diff: one line each, or the old and the new line next to each other. Pure.
import type { DiffHunk } from '@parley/protocol';
import { numbered, type PatchLine } from '../conversation/tools/patch.ts';

/** A line, and its index in the text of its side, which is highlighted as a whole. */
export interface DiffCell extends PatchLine {
  readonly at: number;
}

export type DiffRow =
  /** Unchanged lines were left out here. */
  | { readonly kind: 'gap' }
  | { readonly kind: 'line'; readonly cell: DiffCell }
  | { readonly kind: 'pair'; readonly before: DiffCell | undefined; readonly after: DiffCell | undefined };

export interface DiffRows {
  readonly rows: readonly DiffRow[];
  /** All lines of each side. */
  readonly before: string;
  readonly after: string;
}

export function diffRows(hunks: readonly DiffHunk[], isSplit: boolean): DiffRows {
  const rows: DiffRow[] = [];
  const before: string[] = [];
  const after: string[] = [];
  const place = (line: PatchLine): DiffCell => {
    if (line.kind !== 'added') before.push(line.text);
    if (line.kind !== 'removed') after.push(line.text);
    return { ...line, at: (line.kind === 'removed' ? before : after).length - 1 };
  };
  for (const hunk of hunks) {
    if (rows.length > 0) rows.push({ kind: 'gap' });
    const cells = numbered(hunk).map(place);
    rows.push(...(isSplit ? pairs(cells) : cells.map((cell) => ({ kind: 'line' as const, cell }))));
  }
  return { rows, before: before.join('\n'), after: after.join('\n') };
}

/** Puts removed lines next to the ones that replaced them. */
function pairs(cells: readonly DiffCell[]): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let removed: DiffCell[] = [];
  let added: DiffCell[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      rows.push({ kind: 'pair', before: removed[at], after: added[at] });
    removed = [];
    added = [];
  };
  for (const cell of cells) {
    if (cell.kind === 'removed') {
      // Another block begins.
      if (added.length > 0) flush();
      removed.push(cell);
    } else if (cell.kind === 'added') added.push(cell);
    else {
      flush();
      rows.push({ kind: 'pair', before: cell, after: cell });
    }
  }
  flush();
  return rows;
}
