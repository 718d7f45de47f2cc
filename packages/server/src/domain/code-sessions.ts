// The port for Claude Code sessions as the program stores them: the list, the messages, and changes. It includes sessions
// that were started elsewhere, such as in a plain terminal; they belong to the configured owner.
import {
  type CodeModel,
  ParleyError,
  type PastEntry,
  type PersonName,
  type Session,
  type SessionId,
  type Todo,
} from '@parley/protocol';
import type { Gateway } from './gateway.ts';

/** `active`: a process is awake. `archived`: none is, and a prompt wakes one. `dead`: the last process failed. */
export type CodeSessionStatus = 'active' | 'archived' | 'dead';

export interface CodeSession {
  readonly id: SessionId;
  readonly title: string;
  readonly firstPrompt: string | undefined;
  /** The program also resumes here. */
  readonly workingDir: string;
  readonly gitBranch: string | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly status: CodeSessionStatus;
  readonly mode: 'ui' | 'cli';
  /** Archived by the person: not listed unless requested. */
  readonly isArchived: boolean;
  /** A turn runs. */
  readonly isWorking: boolean;
  /** A permission waits for somebody. */
  readonly isWaiting: boolean;
  readonly costUsd: number | undefined;
  readonly sizeBytes: number;
}

export interface CodeSessionQuery {
  readonly limit: number;
  readonly cursor?: string;
  /** Words in titles and first prompts; with `fullText` also in messages. */
  readonly q?: string;
  readonly fullText?: boolean;
  readonly workingDir?: string;
  readonly archived?: boolean;
  readonly signal?: AbortSignal;
}

export interface CodeMessagesQuery {
  readonly limit: number;
  readonly before?: string;
  /** Reads the messages of the subagent that this tool call started, instead of the session's own. */
  readonly subagentOf?: string;
}

export interface CodeMessages {
  /** Lines of JSON exactly as the program wrote them, oldest first. */
  readonly lines: readonly string[];
  /** Pass it back to get the previous page; absent on the first page. */
  readonly before: string | undefined;
}

/** The same messages as events, with their meaning. */
export interface CodePast {
  readonly entries: readonly PastEntry[];
  readonly before: string | undefined;
}

export type CodeSessionChange =
  | { readonly type: 'title'; readonly session: CodeSession }
  | { readonly type: 'added'; readonly session: CodeSession }
  | { readonly type: 'removed'; readonly id: SessionId };

/** Every call rejects with `not_found` for a session that is not the person's. */
export interface CodeSessions {
  list(
    person: PersonName,
    query: CodeSessionQuery,
  ): Promise<{ sessions: readonly CodeSession[]; next?: string }>;
  /** A session that was started elsewhere becomes known to the gateway by this. */
  get(person: PersonName, id: SessionId): Promise<CodeSession>;
  /** Pages backwards through the messages, from the end or from a cursor. */
  messages(person: PersonName, id: SessionId, wanted: CodeMessagesQuery): Promise<CodeMessages>;
  past(person: PersonName, id: SessionId, wanted: CodeMessagesQuery): Promise<CodePast>;
  /** `forbidden` when the working directory is outside the allowed roots. */
  create(
    person: PersonName,
    wanted: {
      readonly workingDir: string;
      readonly title?: string;
      readonly mode: 'ui' | 'cli';
      /** Continues this session, which must be the person's. */
      readonly resumeId?: SessionId;
      /** Model, permission mode, effort and budget; `invalid` lists all problems. */
      readonly config?: Readonly<Record<string, unknown>>;
    },
  ): Promise<CodeSession>;
  /** Written in the program's own format, so that its list shows it too. */
  rename(person: PersonName, id: SessionId, title: string): Promise<CodeSession>;
  archive(person: PersonName, id: SessionId, isArchived: boolean): Promise<CodeSession>;
  /** A new session with the same past. */
  fork(person: PersonName, id: SessionId): Promise<CodeSession>;
  remove(person: PersonName, id: SessionId): Promise<void>;
  /** The program's task list, also for a session without a process. */
  todos(person: PersonName, id: SessionId): Promise<readonly Todo[]>;
  /** The models that the program offers, as reported last; undefined before the first start. */
  models(): readonly CodeModel[] | undefined;
  /** The program's current permission mode, which a plan can also change; undefined until it has reported one. */
  permissionMode(id: SessionId): string | undefined;
  onChange(person: PersonName, listener: (change: CodeSessionChange) => void): () => void;
}

/** Makes a session that was started elsewhere known to the gateway. `not_found` if it is not the person's. */
export async function openSession(
  gateway: Pick<Gateway, 'getSession'>,
  codeSessions: Pick<CodeSessions, 'get'> | undefined,
  person: PersonName,
  id: SessionId,
): Promise<Session> {
  try {
    return await gateway.getSession(person, id);
  } catch (error) {
    if (!codeSessions || !(error instanceof ParleyError) || error.code !== 'not_found') throw error;
    await codeSessions.get(person, id);
    return gateway.getSession(person, id);
  }
}
