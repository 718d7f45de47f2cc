// Merges the lists of Claude Code sessions of several machines, page by page. Pure.
import { ParleyError, SessionId } from '@parley/protocol';
import { z } from 'zod';
import { parseJson } from '../content/parse-json.ts';
import { byAge, type CodeSession, type CodeSessionAge } from '../domain/code-sessions.ts';

/** A page of one machine's list, the newest first. */
export interface MachinePage {
  /** The machine. */
  readonly source: string;
  /** What the page was read with. */
  readonly cursor: string | undefined;
  readonly sessions: readonly CodeSession[];
  /** Given if the machine has more. */
  readonly next?: string | undefined;
  /** It did not answer. It is asked again, but the list doesn't wait for it to end. */
  readonly isSilent?: boolean;
}

/** Where the merged list continues. */
export interface MergedPlace {
  /** The last session that was shown; undefined at the start. */
  readonly last: CodeSessionAge | undefined;
  /** The machines that have more, and how to ask them; undefined at the start, when all are asked. */
  readonly cursors: ReadonlyMap<string, string | undefined> | undefined;
}

export interface MergedPage {
  readonly sessions: CodeSession[];
  readonly next?: string;
}

/**
 * The next sessions of all machines. There may be fewer than the limit: a session is held back while another machine
 * may still have a newer one.
 */
export function mergePages(pages: readonly MachinePage[], place: MergedPlace, limit: number): MergedPage {
  const unseen = pages.map((page) => ({ ...page, sessions: page.sessions.filter(isAfter(place.last)) }));
  const all = new Map(unseen.flatMap(({ sessions }) => sessions.map((one) => [one.id, one] as const)));
  const ends = unseen.flatMap(({ sessions, next }) => (next === undefined ? [] : sessions.slice(-1)));
  const [end] = ends.sort(byAge);
  const shown = [...all.values()]
    .sort(byAge)
    .filter((one) => !end || byAge(one, end) <= 0)
    .slice(0, limit);
  const last = shown.at(-1) ?? place.last;
  const cursors = new Map<string, string | undefined>();
  for (const { source, cursor, sessions, next } of unseen) {
    const isShown = sessions.every((one) => last && byAge(one, last) <= 0);
    if (!isShown) cursors.set(source, cursor);
    else if (next !== undefined) cursors.set(source, next);
  }
  const silent = cursors.size > 0 ? unseen.filter(({ isSilent }) => isSilent) : [];
  for (const { source, cursor } of silent) cursors.set(source, cursor);
  return { sessions: shown, ...(cursors.size > 0 && { next: toCursor({ last, cursors }) }) };
}

function isAfter(last: CodeSessionAge | undefined): (one: CodeSessionAge) => boolean {
  return (one) => !last || byAge(one, last) > 0;
}

const Cursor = z.object({
  last: z.tuple([z.number(), SessionId]).optional(),
  cursors: z.array(z.tuple([z.string(), z.string().nullable()])),
});

function toCursor({ last, cursors = new Map() }: MergedPlace): string {
  const cursor: z.infer<typeof Cursor> = {
    ...(last && { last: [last.updatedAt, last.id] }),
    cursors: [...cursors].map(([source, next]) => [source, next ?? null]),
  };
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

export function parsePlace(cursor: string | undefined): MergedPlace {
  if (cursor === undefined) return { last: undefined, cursors: undefined };
  const parsed = Cursor.safeParse(parseJson(Buffer.from(cursor, 'base64url')));
  if (!parsed.success) throw new ParleyError('invalid', 'The cursor does not belong to this list.');
  const { last, cursors } = parsed.data;
  return {
    last: last && { updatedAt: last[0], id: last[1] },
    cursors: new Map(cursors.map(([source, next]) => [source, next ?? undefined])),
  };
}
