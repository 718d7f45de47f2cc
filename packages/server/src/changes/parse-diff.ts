// Reads what git prints: lists of names, and the output of `git diff-tree`. Pure.
import { isUtf8 } from 'node:buffer';
import type { ChangedFile, DiffHunk } from '@parley/protocol';

/** Names that end with NUL, as bytes, because they may be in any encoding. */
export function splitNames(output: Buffer): readonly Buffer[] {
  const names: Buffer[] = [];
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    if (end < 0) break;
    if (end > start) names.push(output.subarray(start, end));
    start = end + 1;
  }
  return names;
}

export interface RawChange {
  readonly kind: ChangedFile['kind'];
  readonly path: string;
  readonly from?: string;
  /** A name that is not UTF-8. */
  readonly isUnreadable: boolean;
}

const kinds: Readonly<Record<string, ChangedFile['kind']>> = {
  A: 'added',
  C: 'added',
  D: 'deleted',
  R: 'renamed',
};

/** `:modes ids M NUL path NUL`, with two paths for a rename. */
export function parseRaw(fields: readonly Buffer[]): readonly RawChange[] {
  const changes: RawChange[] = [];
  for (let at = 0; at < fields.length; ) {
    const letter = fields[at]?.toString().split(' ').at(-1)?.[0] ?? '';
    const kind = kinds[letter] ?? 'modified';
    const hasTwo = letter === 'R' || letter === 'C';
    const names = fields.slice(at + 1, at + (hasTwo ? 3 : 2));
    const path = names.at(-1);
    at += hasTwo ? 3 : 2;
    if (!path) break;
    const from = letter === 'R' ? names[0]?.toString() : undefined;
    const isUnreadable = !names.every((name) => isUtf8(name));
    changes.push({ kind, path: path.toString(), isUnreadable, ...(from !== undefined && { from }) });
  }
  return changes;
}

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** `added TAB removed TAB path NUL`, or for a rename `added TAB removed TAB NUL from NUL path NUL`. */
export function parseCounts(output: Buffer): ReadonlyMap<string, LineCounts> {
  const counts = new Map<string, LineCounts>();
  const fields = output.toString().split('\0');
  for (let at = 0; at < fields.length; at += 1) {
    const found = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(fields[at] ?? '');
    if (!found) continue;
    const [, added, removed, own] = found;
    if (own === '') at += 2;
    const path = own === '' ? fields[at] : own;
    // Binary files have no lines.
    if (path !== undefined && added !== '-')
      counts.set(path, { added: Number(added), removed: Number(removed) });
  }
  return counts;
}

const longestLine = 4_000;
const maxLines = 100_000;

export interface ParsedPatch {
  readonly hunks: readonly DiffHunk[];
  readonly isBinary: boolean;
  readonly isCut: boolean;
}

/** The patch of one file. A change of its type comes as two, one after the other. */
export function parsePatch(text: string): ParsedPatch {
  const hunks: { oldStart: number; newStart: number; lines: string[] }[] = [];
  let isBinary = false;
  let count = 0;
  /** How many lines of each side the hunk still has. */
  let [oldLeft, newLeft] = [0, 0];
  let end = 0;
  for (let start = 0; start < text.length && count < maxLines; start = end + 1) {
    end = text.indexOf('\n', start);
    // Git ends every line; one without an end was cut off.
    if (end < 0) break;
    const line = text.slice(start, Math.min(end, start + longestLine));
    if (oldLeft > 0 || newLeft > 0) {
      // "No newline at end of file"
      if (line.startsWith('\\')) continue;
      if (!line.startsWith('+')) oldLeft -= 1;
      if (!line.startsWith('-')) newLeft -= 1;
      hunks.at(-1)?.lines.push(line);
      count += 1;
      continue;
    }
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (header) {
      const [, oldStart, oldCount = '1', newStart, newCount = '1'] = header;
      [oldLeft, newLeft] = [Number(oldCount), Number(newCount)];
      hunks.push({ oldStart: Number(oldStart), newStart: Number(newStart), lines: [] });
    } else if (line.startsWith('Binary files ')) isBinary = true;
  }
  return { hunks, isBinary, isCut: count >= maxLines };
}
