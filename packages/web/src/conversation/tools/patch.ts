// The numbered lines of a change, from the patch that the program reports or from the texts.
import { type Json, number, records, text } from './read.ts';

export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  /** Each starts with a space, a plus or a minus. */
  readonly lines: readonly string[];
}

export interface PatchLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  readonly oldNumber: number | undefined;
  readonly newNumber: number | undefined;
}

/** Undefined when the program reported none. */
export function reportedHunks(details: Json): readonly Hunk[] | undefined {
  const patch = details['structuredPatch'];
  if (!Array.isArray(patch) || patch.length === 0) return undefined;
  return records(patch).map((hunk) => ({
    oldStart: number(hunk['oldStart']) ?? 1,
    newStart: number(hunk['newStart']) ?? 1,
    lines: Array.isArray(hunk['lines']) ? hunk['lines'].map(String) : [],
  }));
}

export interface Change {
  readonly before: string;
  readonly after: string;
}

/** What an edit replaces; a new file replaces nothing. */
export function changesOf(input: Json): readonly Change[] {
  const edits = Array.isArray(input['edits']) ? records(input['edits']) : [input];
  const content = text(input['content']);
  if (content !== undefined) return [{ before: '', after: content }];
  return edits.map((edit) => ({
    before: text(edit['old_string']) ?? '',
    after: text(edit['new_string']) ?? '',
  }));
}

export interface ChangeSize {
  readonly added: number;
  readonly removed: number;
}

/** How many lines were added and removed, as far as that is known without comparing texts. */
export function sizeOfChange(input: Json, details: Json | undefined): ChangeSize | undefined {
  const hunks = details && reportedHunks(details);
  if (hunks) {
    const lines = hunks.flatMap((hunk) => hunk.lines);
    return {
      added: lines.filter((line) => line.startsWith('+')).length,
      removed: lines.filter((line) => line.startsWith('-')).length,
    };
  }
  const content = text(input['content']);
  if (content === undefined) return undefined;
  return { added: content.replace(/\n$/, '').split('\n').length, removed: 0 };
}

export function numbered({ oldStart, newStart, lines }: Hunk): readonly PatchLine[] {
  let oldNumber = oldStart;
  let newNumber = newStart;
  return lines
    .filter((line) => !line.startsWith('\\'))
    .map((line) => {
      const rest = line.slice(1);
      if (line.startsWith('+'))
        return { kind: 'added', text: rest, oldNumber: undefined, newNumber: newNumber++ };
      if (line.startsWith('-'))
        return { kind: 'removed', text: rest, oldNumber: oldNumber++, newNumber: undefined };
      return { kind: 'same', text: rest, oldNumber: oldNumber++, newNumber: newNumber++ };
    });
}
