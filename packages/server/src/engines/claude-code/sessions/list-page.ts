// Merges a page of the list from two sources, newest first: started sessions, which the index reads in pages, and the
// few unstarted ones, which are all known. A cursor holds a place in each of the two.
import type { SessionEntry } from '@parley/claude-cli';
import { ParleyError } from '@parley/protocol';
import { byAge, type CodeSession, type CodeSessionAge } from '../../../domain/code-sessions.ts';

/** Reads up to `limit` entries of the index after its cursor. */
export type ReadIndex = (
  cursor: string | undefined,
  limit: number,
) => Promise<{ readonly sessions: readonly SessionEntry[]; readonly next: string | undefined }>;

export type Listed = { readonly entry: SessionEntry } | { readonly unstarted: CodeSession };

export interface ListPage {
  readonly listed: readonly Listed[];
  readonly next: string | undefined;
}

export async function listPage(
  readIndex: ReadIndex,
  unstarted: readonly CodeSession[],
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<ListPage> {
  const place = parse(cursor);
  const index = place.isIndexRead ? { sessions: [], next: undefined } : await readIndex(place.index, limit);
  // A session may have started since the unstarted ones were read.
  const started = new Set(index.sessions.map(({ sessionId }) => sessionId));
  const waiting = unstarted.filter(
    (one) => !started.has(one.id) && (!place.unstarted || byAge(one, place.unstarted) > 0),
  );
  const listed = merge(index.sessions, waiting, limit);

  const read = listed.filter((one) => 'entry' in one).length;
  const last = waiting[listed.length - read - 1];
  const isIndexRead = read === index.sessions.length && index.next === undefined;
  if (isIndexRead && listed.length - read === waiting.length) return { listed, next: undefined };
  // If not all entries of the index fit on the page, the index is asked again where the page ends.
  const until = read === index.sessions.length ? index : read > 0 && (await readIndex(place.index, read));
  const next: Place = {
    index: until ? until.next : place.index,
    isIndexRead,
    unstarted: last ?? place.unstarted,
  };
  return { listed, next: toCursor(next) };
}

interface Place {
  readonly index: string | undefined;
  /** The index has no more. */
  readonly isIndexRead: boolean;
  /** The last one that was shown. */
  readonly unstarted: CodeSessionAge | undefined;
}

function merge(entries: readonly SessionEntry[], unstarted: readonly CodeSession[], limit: number): Listed[] {
  const listed: Listed[] = [];
  let [entryAt, unstartedAt] = [0, 0];
  while (listed.length < limit) {
    const entry = entries[entryAt];
    const fresh = unstarted[unstartedAt];
    if (fresh && (!entry || byAge(fresh, ageOf(entry)) < 0)) {
      listed.push({ unstarted: fresh });
      unstartedAt += 1;
    } else if (entry) {
      listed.push({ entry });
      entryAt += 1;
    } else break;
  }
  return listed;
}

function ageOf({ updatedAt, sessionId }: SessionEntry): CodeSessionAge {
  return { updatedAt: updatedAt.getTime(), id: sessionId };
}

const cursorShape = /^([\w-]*)(!?)(?:~(\d{1,16})~([0-9a-f-]{36}))?$/;

function toCursor({ index = '', isIndexRead, unstarted }: Place): string {
  const after = unstarted ? `~${unstarted.updatedAt}~${unstarted.id}` : '';
  return `${isIndexRead ? '!' : index}${after}`;
}

function parse(cursor: string | undefined): Place {
  if (cursor === undefined) return { index: undefined, isIndexRead: false, unstarted: undefined };
  const [whole, index, end, updatedAt, id] = cursorShape.exec(cursor) ?? [];
  if (!whole) throw new ParleyError('invalid', 'The cursor does not belong to this list.');
  return {
    index: index || undefined,
    isIndexRead: end === '!',
    unstarted: id === undefined ? undefined : { updatedAt: Number(updatedAt), id },
  };
}
