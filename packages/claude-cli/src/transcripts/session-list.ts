// The rules of a session list: its order, its cursors and what it shows.
import type { UnreadableFolder } from './scan-projects.ts';
import type { SessionEntry } from './session-record.ts';

export interface ListOptions {
  /** `next` of the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number;
  /** Name of a project folder, see projectFolderName. */
  readonly project?: string | undefined;
  /** Words that must all occur in title, prompts, tag or directory. */
  readonly search?: string | undefined;
  /** Also list sessions that share their first message with a newer one, as forks and copies do. */
  readonly includeRelated?: boolean;
  /** Leaves out the sessions for which it returns false, before they are read. */
  readonly accept?: ((sessionId: string) => boolean) | undefined;
  /** Sessions that are always listed, and that don't hide others with the same first message. */
  readonly isAlwaysListed?: ((sessionId: string) => boolean) | undefined;
  /** Only archived sessions, or only the others; default all. */
  readonly archived?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SessionPage {
  readonly sessions: readonly SessionEntry[];
  /** Cursor of the next page; undefined on the last. */
  readonly next: string | undefined;
  /** Folders that exist but cannot be read, so their sessions are missing. */
  readonly unreadable: readonly UnreadableFolder[];
}

/** The position of a session in the list: newest change first, by id if times are equal. */
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
 * A cursor names a position in the order, not an index or a session: files that change, appear or disappear between
 * two pages neither shift the next page nor repeat an entry.
 */
export function toCursor({ mtimeMs, sessionId }: ListKey): string {
  return Buffer.from(JSON.stringify([mtimeMs, sessionId])).toString('base64url');
}

export function fromCursor(cursor: string): ListKey {
  try {
    const [mtimeMs, sessionId] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (typeof mtimeMs === 'number' && typeof sessionId === 'string') return { mtimeMs, sessionId };
  } catch {
    // Reported below, like any other invalid cursor.
  }
  throw new TypeError('The cursor does not belong to this list.');
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
