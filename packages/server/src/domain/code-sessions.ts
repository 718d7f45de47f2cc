// The port for Claude Code sessions as the program stores them: the list, the messages, and changes. It includes sessions
// that were started elsewhere, such as in a plain terminal; they belong to the configured owner.
import {
  type ClaudeCodeSession,
  type CodeModel,
  ParleyError,
  type PastEntry,
  type PersonName,
  type Rewind,
  type SandboxView,
  type Session,
  type SessionId,
  type ShareLevel,
  type Todo,
} from '@parley/protocol';
import type { Actor } from './access.ts';
import type { Gateway } from './gateway.ts';
import type { MarkFilter } from './session-marks.ts';

/** `active`: a process is awake. `archived`: none is, and a prompt wakes one. `dead`: the last process failed. */
export type CodeSessionStatus = 'active' | 'archived' | 'dead';

export interface CodeSession {
  readonly id: SessionId;
  readonly title: string;
  readonly firstPrompt: string | undefined;
  /** Also where the program resumes. */
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
  /** Given if somebody else owns it and shares it with the person who asks. */
  readonly shared?: { readonly owner: PersonName; readonly access: ShareLevel };
  /** The sandbox of its programs. */
  readonly sandbox: SandboxView;
  /** Given if a search found it by its messages. */
  readonly found?: FoundText;
  /** Where it lives. Given in lists, if there are several machines. */
  readonly machine?: string;
  /** No server runs on its machine, so this is what was last known about it. */
  readonly isOffline?: boolean;
}

/** The newest message with the words of a search. */
export interface FoundText {
  readonly message: string;
  readonly role: 'user' | 'assistant';
  readonly snippet: string;
}

/** A place in a session that matches a search. */
export interface SessionHit {
  /** The turn, or the line of the transcript. */
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly snippet: string;
}

export interface CodeSessionQuery {
  readonly limit: number;
  readonly cursor?: string;
  /** Words in titles and first prompts; with `fullText` also in messages. */
  readonly q?: string;
  readonly fullText?: boolean;
  readonly workingDir?: string;
  /** Only archived sessions, or only the others. If absent, only the others, or all of `only`. */
  readonly archived?: boolean;
  /** If given, lists only these sessions. */
  readonly only?: readonly SessionId[];
  /** How `only` was chosen, for the servers of other machines. */
  readonly marked?: MarkFilter;
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

/** What the program of a session offers; both depend on its folder and account. */
export interface ProgramOffers {
  readonly models: readonly CodeModel[];
  /** The names of its slash commands. */
  readonly commands: readonly string[];
}

/** As in the gateway, every call rejects with `not_found` for a session that the actor may not see. */
export interface CodeSessions {
  list(
    actor: Actor,
    query: CodeSessionQuery,
  ): Promise<{
    sessions: readonly CodeSession[];
    next?: string;
    /** Folders of transcripts that cannot be read, so that their sessions are missing. */
    unreadable?: readonly string[];
    /** Older sessions were not searched, because they are not indexed yet. */
    isIndexing?: boolean;
  }>;
  get(actor: Actor, id: SessionId): Promise<CodeSession>;
  /** Like `get`, and makes a session that was started elsewhere known to the gateway. */
  open(actor: Actor, id: SessionId): Promise<CodeSession>;
  /**
   * Gives a session that was started elsewhere to this person, no matter who would own it by default. `not_found` if there
   * is none, or if it is known to the gateway already.
   */
  adopt(actor: Actor, id: SessionId): Promise<Session>;
  /** Pages backwards through the messages, from the end or from a cursor. */
  messages(actor: Actor, id: SessionId, wanted: CodeMessagesQuery): Promise<CodeMessages>;
  past(actor: Actor, id: SessionId, wanted: CodeMessagesQuery): Promise<CodePast>;
  /** Where a session contains the text, oldest first. */
  find(actor: Actor, id: SessionId, text: string, limit: number): Promise<readonly SessionHit[]>;
  /** `forbidden` when the working directory is outside the allowed roots. */
  create(
    actor: Actor,
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
  /** The person is about to create a session like this: a process may start and wait for it. */
  prepare(
    actor: Actor,
    wanted: { readonly workingDir: string; readonly config?: Readonly<Record<string, unknown>> },
  ): Promise<void>;
  /** Written in the program's own format, so that its list shows it too. */
  rename(actor: Actor, id: SessionId, title: string): Promise<CodeSession>;
  archive(actor: Actor, id: SessionId, isArchived: boolean): Promise<CodeSession>;
  /** A new session with the same past, once per key. */
  fork(actor: Actor, id: SessionId, key?: string): Promise<CodeSession>;
  remove(actor: Actor, id: SessionId): Promise<void>;
  /** The program's task list, even for a session without a process. */
  todos(actor: Actor, id: SessionId): Promise<readonly Todo[]>;
  /** The models that the program offers, as reported last; undefined before the first start. */
  models(): readonly CodeModel[] | undefined;
  /** Starts the program if it is not awake; `busy` if there is no room. */
  offers(actor: Actor, id: SessionId): Promise<ProgramOffers>;
  /**
   * Restores the files that the program's tools wrote to their state before a prompt; `dryRun` only says which.
   * `conflict` while a turn runs, `unavailable` if the version of the program can't do it.
   */
  rewind(actor: Actor, id: SessionId, prompt: string, dryRun: boolean): Promise<Rewind>;
  /** The program's current permission mode, which a plan can also change; undefined until it has reported one. */
  permissionMode(id: SessionId): string | undefined;
  onChange(person: PersonName, listener: (change: CodeSessionChange) => void): () => void;
}

/** What is awake, and in which sandbox the programs of a folder run. */
export interface LiveCodeSessions {
  statusOf(id: SessionId): CodeSessionStatus;
  isWorking(id: SessionId): boolean;
  isWaiting(id: SessionId): boolean;
  sandboxOf(path: string): SandboxView;
}

/** A session without a transcript: it is empty, or the program deleted the transcript. */
export function withoutTranscript(stored: ClaudeCodeSession, live: LiveCodeSessions): CodeSession {
  return {
    id: stored.id,
    title: stored.title,
    firstPrompt: undefined,
    workingDir: stored.settings.workingDir ?? '',
    gitBranch: undefined,
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
    status: live.statusOf(stored.id),
    mode: stored.settings.mode ?? 'ui',
    isArchived: stored.settings.isArchived ?? false,
    isWorking: live.isWorking(stored.id),
    isWaiting: live.isWaiting(stored.id),
    costUsd: undefined,
    sizeBytes: 0,
    sandbox: live.sandboxOf(stored.settings.workingDir ?? ''),
  };
}

export type CodeSessionAge = Pick<CodeSession, 'updatedAt' | 'id'>;

/** The newest first, then by id. */
export function byAge(a: CodeSessionAge, b: CodeSessionAge): number {
  return b.updatedAt - a.updatedAt || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
}

/** Pins and tags also find archived sessions. */
export function wantedArchive({ archived, only }: CodeSessionQuery): boolean | undefined {
  return archived ?? (only ? undefined : false);
}

/** Whether a session matches a query, as far as these fields tell. */
export function matchesQuery(
  { id, isArchived, workingDir, title }: Pick<CodeSession, 'id' | 'isArchived' | 'workingDir' | 'title'>,
  query: CodeSessionQuery,
): boolean {
  const archived = wantedArchive(query);
  if (archived !== undefined && isArchived !== archived) return false;
  if (query.only && !query.only.includes(id)) return false;
  if (query.workingDir !== undefined && workingDir !== query.workingDir) return false;
  const words = (query.q ?? '').toLowerCase().split(/\s+/);
  return words.every((word) => title.toLowerCase().includes(word));
}

/** Makes a session that was started elsewhere known to the gateway. `not_found` if it is not the person's. */
export async function openSession(
  gateway: Pick<Gateway, 'getSession'>,
  codeSessions: Pick<CodeSessions, 'open'> | undefined,
  actor: Actor,
  id: SessionId,
): Promise<Session> {
  try {
    return await gateway.getSession(actor, id);
  } catch (error) {
    if (!codeSessions || !(error instanceof ParleyError) || error.code !== 'not_found') throw error;
    await codeSessions.open(actor, id);
    return gateway.getSession(actor, id);
  }
}
