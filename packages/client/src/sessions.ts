// The REST side of sessions, as plain functions over HTTP.
import type {
  Decision,
  PastPage,
  Seq,
  Session,
  SessionDetails,
  SessionId,
  TurnId,
  Versions,
} from '@parley/protocol';
import type { Http } from './http.ts';
import type { Picture } from './view.ts';

export interface PastQuery {
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
  /** What a subagent said, by the tool call that runs it. */
  readonly subagent?: string | undefined;
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

/** What a person sends: words, images, or both. */
export interface PromptContent {
  readonly text: string;
  readonly images: readonly Picture[];
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

/** Only what is given changes. */
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
    readonly signal?: AbortSignal;
  }): Promise<SessionPage>;
  create(session: NewSession): Promise<Session>;
  get(id: SessionId, signal?: AbortSignal): Promise<SessionDetails>;
  past(id: SessionId, query?: PastQuery): Promise<PastPage>;
  configure(id: SessionId, change: SessionChange): Promise<Session>;
  remove(id: SessionId): Promise<void>;
  prompt(id: SessionId, content: PromptContent, options: SendOptions): Promise<PromptReceipt>;
  /** Sends a prompt in place of an earlier one, in a new session that begins like this one. */
  branch(
    id: SessionId,
    before: TurnId,
    content: PromptContent,
    options: Pick<SendOptions, 'key' | 'signal'>,
  ): Promise<{ readonly session: Session; readonly turnId: TurnId; readonly after: Seq }>;
  /** Where the session was continued in several ways. */
  versions(id: SessionId, signal?: AbortSignal): Promise<readonly Versions[]>;
  /** Whether a turn was running. */
  interrupt(id: SessionId): Promise<boolean>;
  /** Withdraws a queued prompt. */
  withdraw(id: SessionId, turnId: TurnId): Promise<void>;
  reorder(id: SessionId, order: readonly TurnId[]): Promise<void>;
  decide(id: SessionId, permissionId: string, decision: Decision): Promise<void>;
}

export function createSessions(http: Http): Sessions {
  const path = (id: SessionId, rest = '') => `/api/sessions/${encodeURIComponent(id)}${rest}`;
  return {
    list: ({ signal, ...query } = {}) => http.get(`/api/sessions${search(query)}`, signal),
    create: (session) => http.send('POST', '/api/sessions', session),
    get: (id, signal) => http.get(path(id), signal),
    past: (id, { signal, ...query } = {}) => http.get(path(id, `/past${search(query)}`), signal),
    configure: (id, change) => http.send('PATCH', path(id), change),
    remove: (id) => http.send('DELETE', path(id)),
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
    versions: async (id, signal) =>
      (await http.get<{ versions: readonly Versions[] }>(path(id, '/versions'), signal)).versions,
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

function bodyOf({ text, images }: PromptContent) {
  return {
    ...(text !== '' && { message: text }),
    ...(images.length > 0 && {
      images: images.map(({ data, mediaType }) => ({ data, media_type: mediaType })),
    }),
  };
}

function search(query: Readonly<Record<string, string | number | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given.toString()}`;
}
