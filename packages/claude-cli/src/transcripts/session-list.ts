// The rules of a session list, apart from where it comes from: its order, its cursors, what is shown in it.
import type { SessionEntry } from './session-record.ts';

export interface ListOptions {
  /** From `next` of the page before. */
  readonly cursor?: string | undefined;
  readonly limit?: number;
  /** Name of a project folder, see projectFolderName. */
  readonly project?: string | undefined;
  /** Words that must all occur in title, prompts, tag or directory. */
  readonly search?: string | undefined;
  /** Also list sessions that share their first message with a newer one, as forks and copies do. */
  readonly includeRelated?: boolean;
  /** Leaves out the sessions it says no to, before anything of them is read. */
  readonly accept?: ((sessionId: string) => boolean) | undefined;
  /** Sessions that are listed even where they share their first message with a newer one. */
  readonly standsApart?: ((sessionId: string) => boolean) | undefined;
  /** Only archived ones, or only others; all unless given. */
  readonly archived?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SessionPage {
  readonly sessions: readonly SessionEntry[];
  /** Cursor of the next page; undefined on the last. */
  readonly next: string | undefined;
}

/** Where a session stands in the list: newest change first, ids where times are equal. */
export interface ListKey {
  readonly mtimeMs: number;
  readonly sessionId: string;
}

export function compareKeys(a: ListKey, b: ListKey): number {
  if (a.mtimeMs !== b.mtimeMs) return b.mtimeMs - a.mtimeMs;
  if (a.sessionId === b.sessionId) return 0;
  return a.sessionId < b.sessionId ? -1 : 1;
}

/**
 * A cursor names a place in the order, not an index or a session: files that change, appear or vanish between
 * two pages neither shift the next one nor make it repeat an entry.
 */
export function toCursor({ mtimeMs, sessionId }: ListKey): string {
  return Buffer.from(JSON.stringify([mtimeMs, sessionId])).toString('base64url');
}

export function fromCursor(cursor: string): ListKey {
  try {
    const [mtimeMs, sessionId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (typeof mtimeMs === 'number' && typeof sessionId === 'string') return { mtimeMs, sessionId };
  } catch {
    // Told below, like any other cursor that is none.
  }
  throw new TypeError('The cursor is not one of this list.');
}

export function matcher(search: string | undefined): (entry: SessionEntry) => boolean {
  const words = fold(search ?? '')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return () => true;
  return (entry) => {
    const text = fold([entry.title, entry.firstPrompt, entry.lastPrompt, entry.tag, entry.cwd].join('\n'));
    return words.every((word) => text.includes(word));
  };
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
