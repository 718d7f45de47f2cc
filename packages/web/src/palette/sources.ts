// What the server finds for the palette, one function for each kind of thing.
import type { CodeSessionList, Recipe, Session } from '@parley/protocol';
import type { QueryClient } from '@tanstack/react-query';
import { client, get } from '../client.ts';
import { titleOf } from '../code/list/use-sessions.ts';
import { t } from '../i18n/translate.ts';
import { bestMatches } from './match.ts';

export interface Entry {
  /** Identifies the thing. */
  readonly key: string;
  readonly name: string;
  /** Where it is, or what was said. */
  readonly detail?: string | undefined;
  /** Where it leads. */
  readonly to: string;
}

export interface Place {
  readonly queries: QueryClient;
  /** The path that is shown. */
  readonly at: string;
  readonly mayCode: boolean;
}

type Source = (query: string, place: Place, signal: AbortSignal) => Promise<readonly Entry[]>;

const maxEach = 6;
const maxTitles = 200;
const freshMs = 30_000;

type FoundSession = Session & { readonly hits?: readonly { readonly snippet: string }[] };

async function sessionsFor(query: Readonly<Record<string, string>>, signal: AbortSignal) {
  const found = await get<{ sessions: readonly FoundSession[] }>(
    `/api/sessions?${new URLSearchParams(query)}`,
    signal,
  );
  // Claude Code sessions come from their own list.
  return found.sessions.filter(({ engine }) => engine === 'messages-api');
}

/** One request serves both the sessions and what was said in them. */
function codeSessionsFor(query: string, { queries, mayCode }: Place): Promise<CodeSessionList['sessions']> {
  if (!mayCode) return Promise.resolve([]);
  const text = query === '' ? {} : { q: query, full_text: 'true' };
  const path = `/api/claude/sessions?${new URLSearchParams({ limit: '20', ...text })}`;
  return queries
    .fetchQuery({
      queryKey: ['palette', 'code', query],
      // `useFound` cancels it.
      queryFn: ({ signal }) => get<CodeSessionList>(path, signal),
      staleTime: 5_000,
    })
    .then(({ sessions }) => sessions);
}

const conversations: Source = async (query, { queries }) => {
  const newest = await queries.fetchQuery({
    queryKey: ['palette', 'conversations'],
    queryFn: ({ signal }) => sessionsFor({ limit: String(maxTitles) }, signal),
    staleTime: freshMs,
  });
  return bestMatches(newest, ({ title }) => title, query)
    .slice(0, maxEach)
    .map(conversationEntry);
};

const sessions: Source = async (query, place) =>
  (await codeSessionsFor(query, place))
    .filter(({ found }) => !found)
    .slice(0, maxEach)
    .map(sessionEntry);

/** The newest chats and Claude Code sessions. */
const recent: Source = async (_query, place, signal) => {
  const [chats, code] = await Promise.all([
    sessionsFor({ limit: '20' }, signal).catch(() => []),
    codeSessionsFor('', place).catch(() => []),
  ]);
  return [
    ...chats.map((chat) => ({ at: chat.updatedAt, entry: conversationEntry(chat) })),
    ...code.map((session) => ({ at: Date.parse(session.updatedAt), entry: sessionEntry(session) })),
  ]
    .toSorted((a, b) => b.at - a.at)
    .slice(0, maxEach)
    .map(({ entry }) => entry);
};

const messages: Source = async (query, place, signal) => {
  const [chats, code] = await Promise.all([
    sessionsFor({ q: query, limit: '10' }, signal).catch(() => []),
    codeSessionsFor(query, place).catch(() => []),
  ]);
  const find = `?${new URLSearchParams({ find: query })}`;
  return [
    ...chats.map((chat) => ({
      ...conversationEntry(chat),
      key: `said ${chat.id}`,
      detail: chat.hits?.[0]?.snippet,
      to: `/chat/${chat.id}${find}`,
    })),
    ...code.flatMap((session) =>
      session.found
        ? [
            {
              ...sessionEntry(session),
              key: `said ${session.id}`,
              detail: session.found.snippet,
              to: `/code/${session.id}${find}`,
            },
          ]
        : [],
    ),
  ];
};

/** Files of the open session, or the notes. */
const files: Source = async (query, { at }, signal) => {
  const session = /^\/code\/([0-9a-f-]{36})/.exec(at)?.[1];
  const place = session === undefined ? client.notes() : client.files(session);
  const page = session === undefined ? (at.startsWith('/chat/') ? at : '/') : `/code/${session}`;
  const { matches } = await place.find(query, { limit: maxEach, signal });
  return matches
    .filter(({ folder }) => !folder)
    .map(({ path }) => ({
      key: `file ${path}`,
      name: path,
      to: `${page}?${new URLSearchParams({ panel: 'files', file: path })}`,
    }));
};

const recipes: Source = async (query, { queries }) => {
  const all = await queries.fetchQuery({
    queryKey: ['recipes'],
    queryFn: ({ signal }) => get<readonly Recipe[]>('/api/recipes', signal),
    staleTime: freshMs,
  });
  return bestMatches(all, ({ title }) => title, query)
    .slice(0, maxEach)
    .map(({ id, title }) => ({ key: `recipe ${id}`, name: title, to: `/recipes/${encodeURIComponent(id)}` }));
};

function conversationEntry({ id, title }: Session): Entry {
  return { key: id, name: title || t('New conversation'), to: `/chat/${id}` };
}

function sessionEntry(session: CodeSessionList['sessions'][number]): Entry {
  const { id, workingDir } = session;
  return { key: id, name: titleOf(session), detail: workingDir.split('/').at(-1), to: `/code/${id}` };
}

export const sources = { recent, conversations, sessions, recipes, files, messages };
export type SourceName = keyof typeof sources;
