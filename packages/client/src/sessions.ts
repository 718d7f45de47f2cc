// The REST side of sessions, as plain functions over HTTP.
import type {
  CodeModel,
  CodeSessionView,
  Decision,
  PendingPermission,
  Seq,
  Session,
  SessionEvent,
  SessionId,
  Todo,
  TurnId,
  TurnStatus,
  Usage,
} from '@parley/protocol';
import type { Http } from './http.ts';
import type { Picture } from './view.ts';

/** The body of `GET /api/sessions/:id`. */
export interface SessionDetail {
  readonly session: Session;
  readonly turns: readonly TurnSummary[];
  readonly usage: Usage;
  readonly running: TurnId | null;
  readonly queue: readonly {
    readonly turnId: TurnId;
    readonly prompt: PromptSummary;
    readonly queuedAt: number;
  }[];
  readonly permissions: readonly PendingPermission[];
  readonly lastSeq: Seq;
  /** Only sessions of `claude-code` have it. */
  readonly code?: CodeDetail;
}

export interface CodeDetail {
  readonly view: CodeSessionView;
  readonly todos: readonly Todo[];
  readonly models?: readonly CodeModel[];
  readonly permissionMode: string | null;
}

export interface PromptSummary {
  readonly text: string;
  /** The media type of each picture. */
  readonly images: readonly string[];
}

export interface TurnSummary {
  readonly id: TurnId;
  readonly door: string;
  readonly status: TurnStatus;
  readonly prompt: PromptSummary;
  readonly text: string;
  readonly usage: Usage;
  readonly error?: { readonly code: string; readonly message: string };
  /** Every event of the turn has a greater number. */
  readonly after: Seq;
  readonly queuedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** Something that happened before: an event without a number. */
export interface PastEntry {
  readonly at: number | null;
  readonly turnId?: TurnId;
  readonly event: SessionEvent;
}

/** The body of `GET /api/sessions/:id/past`. */
export interface PastPage {
  /** Oldest first. */
  readonly entries: readonly PastEntry[];
  /** Pass it as `before` to get the page before this one; null at the beginning. */
  readonly before: string | null;
  /** Events after this number follow the newest page without a gap. */
  readonly after: Seq;
}

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

/** What a person sends: words, pictures, or both. */
export interface PromptContent {
  readonly text: string;
  readonly pictures: readonly Picture[];
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
export interface SessionSettings {
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
  get(id: SessionId, signal?: AbortSignal): Promise<SessionDetail>;
  past(id: SessionId, query?: PastQuery): Promise<PastPage>;
  rename(id: SessionId, title: string): Promise<Session>;
  configure(id: SessionId, settings: SessionSettings): Promise<Session>;
  remove(id: SessionId): Promise<void>;
  prompt(id: SessionId, content: PromptContent, options: SendOptions): Promise<PromptReceipt>;
  /** Whether a turn was running. */
  interrupt(id: SessionId): Promise<boolean>;
  /** Takes back a prompt that waits. */
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
    rename: (id, title) => http.send('PATCH', path(id), { title }),
    configure: (id, settings) => http.send('PATCH', path(id), settings),
    remove: (id) => http.send('DELETE', path(id)),
    prompt: async (id, { text, pictures }, { key, steer, signal }) => {
      const response = await http.request(path(id, '/prompts'), {
        method: 'POST',
        headers: { 'idempotency-key': key },
        body: {
          ...(text !== '' && { message: text }),
          ...(pictures.length > 0 && {
            images: pictures.map(({ data, mediaType }) => ({ data, media_type: mediaType })),
          }),
          ...(steer === true && { steer: true }),
        },
        signal,
      });
      return (await response.json()) as PromptReceipt;
    },
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

function search(query: Readonly<Record<string, string | number | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given.toString()}`;
}
