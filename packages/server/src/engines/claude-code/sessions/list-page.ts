// A page of the list out of two sources: sessions that have begun, which the index pages through, and the few that have
// not, which are all known. The newest first. A cursor holds a place in each of the two.
import type { SessionEntry } from '@parley/claude-cli';
import { ParleyError } from '@parley/protocol';
import type { CodeSession } from '../../../domain/code-sessions.ts';

/** So many entries of the index after its cursor. */
export type ReadIndex = (
  cursor: string | undefined,
  limit: number,
) => Promise<{ readonly sessions: readonly SessionEntry[]; readonly next: string | undefined }>;

export type Listed = { readonly entry: SessionEntry } | { readonly unbegun: CodeSession };

export interface ListPage {
  readonly listed: readonly Listed[];
  readonly next: string | undefined;
}

export async function listPage(
  readIndex: ReadIndex,
  unbegun: readonly CodeSession[],
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<ListPage> {
  const place = parse(cursor);
  const index = place.isIndexRead ? { sessions: [], next: undefined } : await readIndex(place.index, limit);
  const waiting = unbegun.filter((one) => !place.unbegun || byAge(one, place.unbegun) > 0);
  const listed = merge(index.sessions, waiting, limit);

  const begun = listed.filter((one) => 'entry' in one).length;
  const last = waiting[listed.length - begun - 1];
  const isIndexRead = begun === index.sessions.length && index.next === undefined;
  if (isIndexRead && listed.length - begun === waiting.length) return { listed, next: undefined };
  // Where the page holds fewer of them than were read, the index says where those end.
  const read = begun === index.sessions.length ? index : begun > 0 && (await readIndex(place.index, begun));
  const next: Place = { index: read ? read.next : place.index, isIndexRead, unbegun: last ?? place.unbegun };
  return { listed, next: toCursor(next) };
}

/** The newest first; of two from the same moment the one with the smaller id. */
export function byAge(a: Age, b: Age): number {
  return b.updatedAt - a.updatedAt || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
}

type Age = Pick<CodeSession, 'updatedAt' | 'id'>;

interface Place {
  readonly index: string | undefined;
  /** The index has no more. */
  readonly isIndexRead: boolean;
  /** The last one that was shown. */
  readonly unbegun: Age | undefined;
}

function merge(entries: readonly SessionEntry[], unbegun: readonly CodeSession[], limit: number): Listed[] {
  const listed: Listed[] = [];
  let [entryAt, unbegunAt] = [0, 0];
  while (listed.length < limit) {
    const entry = entries[entryAt];
    const fresh = unbegun[unbegunAt];
    if (fresh && (!entry || fresh.updatedAt >= entry.updatedAt.getTime())) {
      listed.push({ unbegun: fresh });
      unbegunAt += 1;
    } else if (entry) {
      listed.push({ entry });
      entryAt += 1;
    } else break;
  }
  return listed;
}

const cursorShape = /^([\w-]*)(!?)(?:~(\d{1,16})~([0-9a-f-]{36}))?$/;

function toCursor({ index = '', isIndexRead, unbegun }: Place): string {
  const after = unbegun ? `~${unbegun.updatedAt}~${unbegun.id}` : '';
  return `${isIndexRead ? '!' : index}${after}`;
}

function parse(cursor: string | undefined): Place {
  if (cursor === undefined) return { index: undefined, isIndexRead: false, unbegun: undefined };
  const [whole, index, end, updatedAt, id] = cursorShape.exec(cursor) ?? [];
  if (!whole) throw new ParleyError('invalid', 'The cursor is not one of this list.');
  return {
    index: index || undefined,
    isIndexRead: end === '!',
    unbegun: id === undefined ? undefined : { updatedAt: Number(updatedAt), id },
  };
}
