// The port of Claude Code sessions as the program keeps them: the list, the kept messages, and what changes.
// Sessions begun elsewhere, such as in a plain terminal, are here too; they belong to the configured owner.
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

/** `active`: a process is awake. `archived`: none is, a prompt wakes one. `dead`: the last process failed. */
export type CodeSessionStatus = 'active' | 'archived' | 'dead';

export interface CodeSession {
  readonly id: SessionId;
  readonly title: string;
  readonly firstPrompt: string | undefined;
  /** The working directory; a resume runs there. */
  readonly workingDir: string;
  readonly gitBranch: string | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly status: CodeSessionStatus;
  readonly mode: 'ui' | 'cli';
  /** Put away by the person: hidden from the list unless asked for. */
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
  /** Words in titles and first prompts; with `fullText` in the messages too. */
  readonly q?: string;
  readonly fullText?: boolean;
  readonly workingDir?: string;
  readonly archived?: boolean;
  readonly signal?: AbortSignal;
}

export interface CodeMessagesQuery {
  readonly limit: number;
  readonly before?: string;
  /** Those of the subagent that this tool call began, instead of the session's own. */
  readonly subagentOf?: string;
}

export interface CodeMessages {
  /** Lines of JSON exactly as the program wrote them, oldest first. */
  readonly lines: readonly string[];
  /** Hand it back for the page before this one; absent at the beginning. */
  readonly before: string | undefined;
}

/** The same messages as events with what they mean. */
export interface CodePast {
  readonly entries: readonly PastEntry[];
  readonly before: string | undefined;
}

export type CodeSessionChange =
  | { readonly type: 'title'; readonly session: CodeSession }
  | { readonly type: 'added'; readonly session: CodeSession }
  | { readonly type: 'removed'; readonly id: SessionId };

/** Every call answers `not_found` for a session that is not the person's. */
export interface CodeSessions {
  list(
    person: PersonName,
    query: CodeSessionQuery,
  ): Promise<{ sessions: readonly CodeSession[]; next?: string }>;
  /** One that was begun elsewhere becomes one of the gateway's by this. */
  get(person: PersonName, id: SessionId): Promise<CodeSession>;
  /** Pages backwards over the kept messages, from the end or from a cursor. */
  messages(person: PersonName, id: SessionId, wanted: CodeMessagesQuery): Promise<CodeMessages>;
  past(person: PersonName, id: SessionId, wanted: CodeMessagesQuery): Promise<CodePast>;
  /** `forbidden` when the working directory is outside the allowed roots. */
  create(
    person: PersonName,
    wanted: {
      readonly workingDir: string;
      readonly title?: string;
      readonly mode: 'ui' | 'cli';
      /** Goes on with this session; it must be the person's. */
      readonly resumeId?: SessionId;
      /** Model, permission mode, effort and budget; `invalid` with all problems when something is wrong. */
      readonly config?: Readonly<Record<string, unknown>>;
    },
  ): Promise<CodeSession>;
  /** Written as the program writes it, so that its own list shows it too. */
  rename(person: PersonName, id: SessionId, title: string): Promise<CodeSession>;
  archive(person: PersonName, id: SessionId, isArchived: boolean): Promise<CodeSession>;
  /** A new session with the same past. */
  fork(person: PersonName, id: SessionId): Promise<CodeSession>;
  remove(person: PersonName, id: SessionId): Promise<void>;
  /** The program's task list, also of a session that sleeps. */
  todos(person: PersonName, id: SessionId): Promise<readonly Todo[]>;
  /** The models that the program offers, as reported last; undefined before the first start. */
  models(): readonly CodeModel[] | undefined;
  /** The permission mode that the program is in, which a plan changes too; undefined before it has told. */
  permissionMode(id: SessionId): string | undefined;
  onChange(person: PersonName, listener: (change: CodeSessionChange) => void): () => void;
}

/** The session, which the gateway gets to know by this if it was started elsewhere. `not_found` if it is not theirs. */
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
