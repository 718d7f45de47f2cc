// The list of Claude Code sessions: those with a transcript, those that the program doesn't know yet, and those that others
// share with the person, newest first.
import {
  projectFolderName,
  type SessionEntry,
  type SessionIndex,
  type SessionPage,
} from '@parley/claude-cli';
import { ParleyError, type PersonName, type SessionId } from '@parley/protocol';
import { type Actor, personOf } from '../../../domain/access.ts';
import {
  byAge,
  type CodeSession,
  type CodeSessionQuery,
  type LiveCodeSessions,
  matchesQuery,
  wantedArchive,
  withoutTranscript,
} from '../../../domain/code-sessions.ts';
import type { CodeSessionsOptions } from './code-sessions-options.ts';
import type { PersonTranscripts } from './home-transcripts.ts';
import { listPage, type ReadIndex } from './list-page.ts';
import { type FoundSessions, textOf } from './text/text-search.ts';
import { answering } from './to-code-session.ts';

export interface SessionListParts {
  readonly options: CodeSessionsOptions;
  readonly live: LiveCodeSessions;
  readonly transcriptsOf: (person: PersonName) => Promise<PersonTranscripts>;
  readonly get: (actor: Actor, id: SessionId) => Promise<CodeSession>;
  readonly toSession: (entry: SessionEntry, isStored: boolean) => Promise<CodeSession>;
}

export interface ListedSessions {
  readonly sessions: CodeSession[];
  readonly next?: string;
  readonly unreadable?: readonly string[];
  readonly isIndexing?: boolean;
}

/** More than anybody creates without using them. */
const maxUnstarted = 50;
/** How many sessions a search finds by their titles. */
const maxTitles = 500;

export async function listSessions(
  actor: Actor,
  query: CodeSessionQuery,
  parts: SessionListParts,
): Promise<ListedSessions> {
  const { access, store } = parts.options;
  if (!access.mayUse(actor, answering)) return { sessions: [] };
  const person = personOf(actor);
  const { index, search } = await parts.transcriptsOf(person);
  const { q, signal } = query;
  const isTextSearch = query.fullText === true && q !== undefined && q.trim() !== '';
  // Only now: when a home is used for the first time, sessions may move to it.
  const known = await store.codeSessions.known();
  const only = query.only && new Set(query.only);
  const isOwn = (id: SessionId) =>
    (known.get(id)?.person ?? person) === person &&
    known.get(id)?.isRemoved !== true &&
    (only === undefined || only.has(id));
  const isListed = (id: SessionId) => isOwn(id) && known.get(id)?.isHidden !== true;
  const found = isTextSearch ? await search.find(q, signal) : undefined;
  const inTitle = isTextSearch ? await titled(index, q, isOwn, signal) : undefined;
  const accept = (id: SessionId) =>
    found && inTitle ? isOwn(id) && (found.matches.has(id) || inTitle.has(id)) : isListed(id);
  const unstarted = await unstartedSessions(person, query, index, parts);
  const others = [
    ...unstarted.filter(({ id }) => isListed(id)),
    ...(await sharedSessions(actor, query, isTextSearch, parts)),
  ];
  let unreadable: readonly string[] = [];
  const readSome: ReadIndex = async (cursor, limit) => {
    const isStartedHere = (id: SessionId) => known.get(id)?.isStartedHere === true;
    const page = await readIndex(index, { ...query, limit }, cursor, accept, isStartedHere);
    unreadable = page.unreadable.map(({ folder }) => folder);
    return page;
  };
  const { listed, next } = await listPage(readSome, others.sort(byAge), query);
  const sessions = await Promise.all(
    listed.map(async (one) => {
      if (!('entry' in one)) return one.unstarted;
      const session = await parts.toSession(one.entry, known.has(one.entry.sessionId));
      return withText(session, found);
    }),
  );
  const isShown = ({ workingDir }: CodeSession) =>
    query.workingDir === undefined || workingDir === query.workingDir;
  return {
    sessions: sessions.filter(isShown),
    ...(next !== undefined && { next }),
    ...(unreadable.length > 0 && { unreadable }),
    ...(found?.isComplete === false && { isIndexing: true }),
  };
}

async function withText(session: CodeSession, found: FoundSessions | undefined): Promise<CodeSession> {
  const match = found?.matches.get(session.id);
  const text = found && match && (await textOf(match, found.words));
  return text ? { ...session, found: text } : session;
}

async function titled(
  index: SessionIndex,
  search: string,
  accept: (id: SessionId) => boolean,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<SessionId>> {
  const { sessions } = await index.list({ search, accept, limit: maxTitles, signal });
  return new Set(sessions.map(({ sessionId }) => sessionId));
}

/** New ones, and those whose first start failed. */
async function unstartedSessions(
  person: PersonName,
  query: CodeSessionQuery,
  index: Pick<SessionIndex, 'get'>,
  { options: { store, engine, elsewhere }, live }: SessionListParts,
): Promise<CodeSession[]> {
  const fresh = await store.codeSessions.unstarted(person, maxUnstarted);
  const awake = engine.known().slice(0, maxUnstarted);
  const known = await Promise.all(awake.map((id) => store.getSession(id)));
  const own = new Map(
    [...fresh, ...known].flatMap((stored) =>
      stored?.person === person && stored.engine === 'claude-code' ? [[stored.id, stored] as const] : [],
    ),
  );
  const isHere = await hereOnly([...own.keys()], elsewhere);
  const sessions: CodeSession[] = [];
  for (const stored of own.values()) {
    if (!isHere(stored.id) || (await index.get(stored.id))) continue;
    const session = withoutTranscript(stored, live);
    if (matchesQuery(session, query)) sessions.push(session);
  }
  return sessions;
}

/** There are only a few, and their transcripts are in the homes of their owners. */
async function sharedSessions(
  actor: Actor,
  query: CodeSessionQuery,
  isTextSearch: boolean,
  { options: { access, store, elsewhere }, transcriptsOf, get }: SessionListParts,
): Promise<CodeSession[]> {
  const { q = '', signal } = query;
  const searches = new Map<PersonName, Promise<FoundSessions>>();
  const searchOf = (owner: PersonName) => {
    const search = searches.get(owner) ?? transcriptsOf(owner).then((home) => home.search.find(q, signal));
    searches.set(owner, search);
    return search;
  };
  const ids = access.sharedWith(personOf(actor));
  const isHere = await hereOnly(ids, elsewhere);
  const shared = await Promise.all(
    ids.filter(isHere).map(async (id) => {
      const stored = await store.getSession(id);
      if (stored?.engine !== 'claude-code' || access.levelOf(actor, stored) === undefined) return [];
      const session = await get(actor, id);
      if (matchesQuery(session, query)) return [session];
      if (!isTextSearch || !matchesQuery(session, { ...query, q: '' })) return [];
      const inText = await withText(session, await searchOf(stored.person));
      return inText.found ? [inText] : [];
    }),
  );
  return shared.flat();
}

/** Each server lists the sessions of its own machine. */
async function hereOnly(
  ids: readonly SessionId[],
  elsewhere: CodeSessionsOptions['elsewhere'],
): Promise<(id: SessionId) => boolean> {
  if (!elsewhere || ids.length === 0) return () => true;
  const others = await elsewhere(ids);
  return (id) => !others.has(id);
}

async function readIndex(
  index: SessionIndex,
  query: CodeSessionQuery,
  cursor: string | undefined,
  accept: (id: SessionId) => boolean,
  isAlwaysListed: (id: SessionId) => boolean,
): Promise<SessionPage> {
  try {
    return await index.list({
      limit: query.limit,
      cursor,
      search: query.fullText ? undefined : query.q,
      project: query.workingDir === undefined ? undefined : projectFolderName(query.workingDir),
      archived: wantedArchive(query),
      signal: query.signal,
      accept,
      // The index hides sessions with the same first message, but a fork made in Parley is listed too.
      isAlwaysListed,
    });
  } catch (error) {
    if (error instanceof TypeError)
      throw new ParleyError('invalid', 'The cursor does not belong to this list.');
    throw error;
  }
}
