// The REST side of sessions, as plain functions over HTTP.
import {
  type Decision,
  type FoundInSession,
  type MarkChange,
  type Marks,
  type PastPage,
  type RemovedSessions,
  type Seq,
  type Session,
  type SessionContext,
  type SessionDetails,
  type SessionId,
  type SessionIds,
  type SessionMarks,
  type TurnId,
  type Versions,
  withAttachedPaths,
} from '@parley/protocol';
import type { Http } from './http.ts';
import { queryString } from './query-string.ts';
import type { AttachedFile, Picture } from './view.ts';

export interface PastQuery {
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
  /** Reads what a subagent said instead, by the tool call that runs it. */
  readonly subagent?: string | undefined;
  /** Includes the newest turns, for readers that don't follow the events. */
  readonly whole?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface NewSession {
  readonly assistant: string;
  readonly title?: string | undefined;
  readonly model?: string | undefined;
}

export interface SessionPage {
  readonly sessions: readonly (Session & { readonly hits?: readonly SearchHit[] })[];
  readonly nextCursor?: string;
}

export interface SearchHit {
  readonly turnId: TurnId;
  readonly role: 'user' | 'assistant';
  readonly snippet: string;
}

/** What a person sends. */
export interface PromptContent {
  readonly text: string;
  readonly images: readonly Picture[];
  /** A file without bytes must have a path: it is already in the work folder. */
  readonly files?: readonly AttachedFile[] | undefined;
}

export interface SendOptions {
  /** The server takes a prompt with the same key only once. */
  readonly key: string;
  /** Adds to the running turn where the engine can do that; otherwise the prompt waits its turn. */
  readonly steer?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type PromptReceipt =
  | { readonly turnId: TurnId; readonly after: Seq }
  | { readonly turnId: null; readonly steered: true };

/** Changes only the fields that are given. */
export interface SessionChange {
  readonly title?: string;
  readonly model?: string;
  readonly permissionMode?: string;
}

export interface Sessions {
  list(query?: {
    readonly limit?: number;
    readonly cursor?: string;
    readonly q?: string;
    readonly pinned?: boolean;
    readonly archived?: boolean;
    readonly tag?: string;
    readonly signal?: AbortSignal;
  }): Promise<SessionPage>;
  create(session: NewSession): Promise<Session>;
  get(id: SessionId, signal?: AbortSignal): Promise<SessionDetails>;
  past(id: SessionId, query?: PastQuery): Promise<PastPage>;
  /** Where a text occurs, oldest first. */
  find(id: SessionId, text: string, signal?: AbortSignal): Promise<FoundInSession>;
  configure(id: SessionId, change: SessionChange): Promise<Session>;
  remove(id: SessionId): Promise<void>;
  /** Deletes them after half a minute. Until then, `restore` brings them back. */
  removeAll(ids: readonly SessionId[]): Promise<RemovedSessions>;
  /** Returns those that were restored. */
  restore(ids: readonly SessionId[]): Promise<readonly SessionId[]>;
  /** What the person has pinned, tagged or archived. */
  marks(signal?: AbortSignal): Promise<readonly SessionMarks[]>;
  mark(change: MarkChange): Promise<readonly SessionMarks[]>;
  prompt(id: SessionId, content: PromptContent, options: SendOptions): Promise<PromptReceipt>;
  /** Sends a prompt in place of an earlier one, in a new session that begins like this one. */
  branch(
    id: SessionId,
    before: TurnId,
    content: PromptContent,
    options: Pick<SendOptions, 'key' | 'signal'>,
  ): Promise<{ readonly session: Session; readonly turnId: TurnId; readonly after: Seq }>;
  /** Copies the session into a new one: everything before the prompt, or all of it. With a key, only once. */
  fork(id: SessionId, before?: TurnId, key?: string): Promise<Session>;
  /** Where the session was continued in several ways. */
  versions(id: SessionId, signal?: AbortSignal): Promise<readonly Versions[]>;
  /** What fills its context, and what its tokens cost. */
  context(id: SessionId, signal?: AbortSignal): Promise<SessionContext>;
  /** Returns whether a turn was running. */
  interrupt(id: SessionId): Promise<boolean>;
  /** Withdraws a queued prompt. */
  withdraw(id: SessionId, turnId: TurnId): Promise<void>;
  reorder(id: SessionId, order: readonly TurnId[]): Promise<void>;
  decide(id: SessionId, permissionId: string, decision: Decision): Promise<void>;
}

export function createSessions(http: Http): Sessions {
  const path = (id: SessionId, rest = '') => `/api/sessions/${encodeURIComponent(id)}${rest}`;
  return {
    list: ({ signal, ...query } = {}) => http.get(`/api/sessions${queryString(query)}`, signal),
    create: (session) => http.send('POST', '/api/sessions', session),
    get: (id, signal) => http.get(path(id), signal),
    past: (id, { signal, ...query } = {}) => http.get(path(id, `/past${queryString(query)}`), signal),
    find: (id, text, signal) => http.get(path(id, `/find${queryString({ q: text })}`), signal),
    configure: (id, change) => http.send('PATCH', path(id), change),
    remove: (id) => http.send('DELETE', path(id)),
    removeAll: (ids) => http.send('POST', '/api/sessions/remove', { ids }),
    restore: async (ids) => (await http.send<SessionIds>('POST', '/api/sessions/restore', { ids })).ids,
    marks: async (signal) => (await http.get<Marks>('/api/marks', signal)).marks,
    mark: async (change) => (await http.send<Marks>('PATCH', '/api/marks', change)).marks,
    prompt: async (id, content, { key, steer, signal }) => {
      const response = await http.request(path(id, '/prompts'), {
        method: 'POST',
        headers: { 'idempotency-key': key },
        body: { ...bodyOf(content), ...(steer === true && { steer: true }) },
        signal,
      });
      return (await response.json()) as PromptReceipt;
    },
    branch: async (id, before, content, { key, signal }) => {
      const response = await http.request(path(id, '/branches'), {
        method: 'POST',
        headers: { 'idempotency-key': key },
        body: { ...bodyOf(content), before },
        signal,
      });
      return (await response.json()) as Awaited<ReturnType<Sessions['branch']>>;
    },
    fork: async (id, before, key) => {
      const response = await http.request(path(id, '/forks'), {
        method: 'POST',
        ...(key !== undefined && { headers: { 'idempotency-key': key } }),
        body: { ...(before !== undefined && { before }) },
      });
      return (await response.json()) as Session;
    },
    versions: async (id, signal) =>
      (await http.get<{ versions: readonly Versions[] }>(path(id, '/versions'), signal)).versions,
    context: (id, signal) => http.get(path(id, '/context'), signal),
    interrupt: async (id) =>
      (await http.send<{ interrupted: boolean }>('POST', path(id, '/interrupt'))).interrupted,
    withdraw: (id, turnId) => http.send('DELETE', path(id, `/queue/${encodeURIComponent(turnId)}`)),
    reorder: async (id, order) => {
      await http.send('PUT', path(id, '/queue'), { order });
    },
    decide: async (id, permissionId, decision) => {
      await http.send('POST', path(id, `/permissions/${encodeURIComponent(permissionId)}`), decision);
    },
  };
}

function bodyOf({ text, images, files = [] }: PromptContent) {
  const placed = files.flatMap(({ data, path }) => (data === '' && path !== undefined ? [path] : []));
  const message = placed.length === 0 ? text : withAttachedPaths(text, placed);
  const sent = files.filter(({ data }) => data !== '');
  return {
    ...(message !== '' && { message }),
    ...(sent.length > 0 && {
      files: sent.map(({ name, data, mediaType }) => ({ name, data, media_type: mediaType })),
    }),
    ...(images.length > 0 && {
      images: images.map(({ data, mediaType }) => ({ data, media_type: mediaType })),
    }),
  };
}
