// All sessions of Claude Code: those with a transcript, found by the index, and those that have not started. Every call
// checks the owner; a foreign session is not found.
import {
  type Frame,
  findSubagent,
  findTranscript,
  type IndexCache,
  renameSession as nameTranscript,
  projectFolderName,
  readPastTasks,
  readTranscriptPage,
  type SessionEntry,
  SessionIndex,
  type SessionPage,
  type SessionRecord,
} from '@parley/claude-cli';
import {
  type ClaudeCodeSession,
  ParleyError,
  type PersonName,
  type Session,
  type SessionId,
  type Todo,
} from '@parley/protocol';
import type { TranscriptCache } from '../../../domain/code-session-store.ts';
import type {
  CodeMessages,
  CodeMessagesQuery,
  CodePast,
  CodeSession,
  CodeSessionChange,
  CodeSessionQuery,
  CodeSessions,
} from '../../../domain/code-sessions.ts';
import { forkedSettings, readPersonalSettings } from '../process/settings.ts';
import { toPastEntries } from '../translation/frame-event.ts';
import { ChangeFeed } from './change-feed.ts';
import { forkTranscript } from './fork-transcript.ts';
import { listPage, type ReadIndex } from './list-page.ts';
import type { CodeSessionsOptions } from './options.ts';
import { TextSearch } from './text-search.ts';
import { toCodeSession, withoutTranscript } from './to-code-session.ts';
import { unstartedSessions } from './unstarted-sessions.ts';

/** Titles that a search for words in messages also looks at. */
const mostTitleHits = 500;

/** A session of the person: its transcript, its row, or both. */
type Found =
  | { readonly entry: SessionEntry; readonly stored: ClaudeCodeSession | undefined }
  | { readonly entry: undefined; readonly stored: ClaudeCodeSession };

export class SessionBook {
  readonly #options: CodeSessionsOptions;
  readonly #index: SessionIndex;
  readonly #search: TextSearch;
  readonly #changes: ChangeFeed;

  constructor(options: CodeSessionsOptions) {
    const { engine, store, clock, logger } = options;
    this.#options = options;
    this.#index = new SessionIndex({
      root: engine.home.projects,
      cache: indexCache(store.codeSessions.transcripts),
      watch: true,
      onError: (error) => logger.warn({ err: error }, 'a transcript could not be indexed'),
    });
    this.#search = new TextSearch(this.#index, clock);
    this.#changes = new ChangeFeed(this.#index, {
      ownerOf: (id) => this.#ownerOf(id),
      toSession: async (entry) => toCodeSession(entry, await this.#stored(entry.sessionId), engine),
      logger,
    });
  }

  async list(
    person: PersonName,
    query: CodeSessionQuery,
  ): Promise<{ sessions: CodeSession[]; next?: string }> {
    const { store, engine } = this.#options;
    const owners = await store.codeSessions.owners();
    const isOwn = (id: SessionId) => (owners.get(id) ?? this.#options.owner) === person;
    const accept = query.fullText && query.q ? await this.#withWords(person, query.q, isOwn, query) : isOwn;
    const unstarted = await unstartedSessions(person, query, this.#index, this.#options);
    const readIndex: ReadIndex = (cursor, limit) =>
      this.#readIndex({ ...query, limit }, cursor, accept, (id) => owners.has(id));
    const { listed, next } = await listPage(readIndex, unstarted, query);
    const sessions = await Promise.all(
      listed.map(async (one) => {
        if ('unstarted' in one) return one.unstarted;
        const { entry } = one;
        const stored = owners.has(entry.sessionId) ? await this.#stored(entry.sessionId) : undefined;
        return toCodeSession(entry, stored, engine);
      }),
    );
    const isShown = ({ workingDir }: CodeSession) =>
      query.workingDir === undefined || workingDir === query.workingDir;
    return { sessions: sessions.filter(isShown), ...(next !== undefined && { next }) };
  }

  async get(person: PersonName, id: SessionId): Promise<CodeSession> {
    const found = await this.#find(person, id);
    if (!found.entry) return withoutTranscript(found.stored, this.#options.engine);
    const stored = found.stored ?? (await this.#adopt(person, found.entry));
    return toCodeSession(found.entry, stored, this.#options.engine);
  }

  async messages(person: PersonName, id: SessionId, query: CodeMessagesQuery): Promise<CodeMessages> {
    const { frames, before } = await this.#page(person, id, query);
    return { lines: frames.map((frame) => frame.text), before };
  }

  async past(person: PersonName, id: SessionId, query: CodeMessagesQuery): Promise<CodePast> {
    const { frames, before } = await this.#page(person, id, query);
    return { entries: toPastEntries(frames, query.subagentOf), before };
  }

  async todos(person: PersonName, id: SessionId): Promise<readonly Todo[]> {
    const { entry } = await this.#find(person, id);
    const awake = this.#options.engine.todosOf(id);
    return awake ?? (entry ? (await readPastTasks(entry.file)).list : []);
  }

  async create(person: PersonName, wanted: Parameters<CodeSessions['create']>[1]): Promise<CodeSession> {
    const { gateway, folders, engine } = this.#options;
    const config = readPersonalSettings(wanted.config ?? {});
    if (wanted.resumeId !== undefined) {
      await this.get(person, wanted.resumeId);
      await gateway.configure(person, wanted.resumeId, { ...config, mode: wanted.mode });
      return this.get(person, wanted.resumeId);
    }
    const workingDir = await folders.check(wanted.workingDir);
    const settings = { ...config, mode: wanted.mode, workingDir };
    const id = wanted.mode === 'ui' ? await engine.warmId(settings) : undefined;
    const session = await gateway.createSession(person, {
      ...(id !== undefined && { id }),
      engine: 'claude-code',
      assistant: 'claude-code',
      title: wanted.title ?? '',
      settings,
    });
    const created = withoutTranscript(toClaudeCode(session), engine);
    this.#changes.report(person, { type: 'added', session: created });
    return created;
  }

  async rename(person: PersonName, id: SessionId, title: string): Promise<CodeSession> {
    const found = await this.#find(person, id);
    if (title.trim() === '')
      throw new ParleyError('invalid', 'A title needs at least one visible character.');
    if (found.entry) await this.#index.rename(id, title);
    if (found.stored) await this.#options.gateway.renameSession(person, id, title.trim());
    const renamed = await this.get(person, id);
    if (!found.entry) this.#changes.report(person, { type: 'title', session: renamed });
    return renamed;
  }

  async archive(person: PersonName, id: SessionId, isArchived: boolean): Promise<CodeSession> {
    const { entry } = await this.#find(person, id);
    if (entry) await this.#index.archive(id, isArchived);
    else await this.#options.gateway.configure(person, id, { isArchived });
    return this.get(person, id);
  }

  async fork(person: PersonName, id: SessionId): Promise<CodeSession> {
    const { gateway, newId } = this.#options;
    await this.get(person, id);
    const { entry, stored } = await this.#find(person, id);
    if (!entry) throw new ParleyError('invalid', 'This session is empty, so there is nothing to fork.');
    const forkId = newId();
    const title = `${entry.title} (fork)`;
    const copy = await forkTranscript(entry.file, id, forkId);
    await nameTranscript(copy, title);
    await gateway.createSession(person, {
      id: forkId,
      engine: 'claude-code',
      assistant: 'claude-code',
      title,
      settings: {
        ...forkedSettings(stored?.settings ?? {}),
        workingDir: entry.cwd ?? stored?.settings.workingDir,
      },
    });
    await this.#index.refresh();
    return this.get(person, forkId);
  }

  async remove(person: PersonName, id: SessionId): Promise<void> {
    const { entry, stored } = await this.#find(person, id);
    if (stored) await this.#options.gateway.deleteSession(person, id);
    if (entry) await this.#index.delete(id);
    else this.#changes.report(person, { type: 'removed', id });
  }

  onChange(person: PersonName, listener: (change: CodeSessionChange) => void): () => void {
    return this.#changes.listen(person, listener);
  }

  async close(): Promise<void> {
    await this.#index.close();
  }

  async #page(
    person: PersonName,
    id: SessionId,
    { before, limit, subagentOf }: CodeMessagesQuery,
  ): Promise<{ readonly frames: readonly Frame[]; readonly before: string | undefined }> {
    const { entry } = await this.#find(person, id);
    const file =
      subagentOf === undefined ? entry?.file : entry && (await findSubagent(entry.file, subagentOf));
    if (file === undefined) return { frames: [], before: undefined };
    const page = await readTranscriptPage(file, {
      limit,
      ...(before !== undefined && { before: offsetOf(before) }),
    }).catch(ignoreMissing);
    return { frames: page?.messages.map(({ frame }) => frame) ?? [], before: page?.before?.toString() };
  }

  async #readIndex(
    query: CodeSessionQuery,
    cursor: string | undefined,
    accept: (id: SessionId) => boolean,
    standsApart: (id: SessionId) => boolean,
  ): Promise<SessionPage> {
    try {
      return await this.#index.list({
        limit: query.limit,
        cursor,
        search: query.fullText ? undefined : query.q,
        project: query.workingDir === undefined ? undefined : projectFolderName(query.workingDir),
        archived: query.archived ?? false,
        signal: query.signal,
        accept,
        // Forks that somebody made on purpose are sessions of their own.
        standsApart,
      });
    } catch (error) {
      if (error instanceof TypeError) throw new ParleyError('invalid', 'The cursor is not one of this list.');
      throw error;
    }
  }

  /** Sessions with the words in their messages, or in their titles. */
  async #withWords(
    person: PersonName,
    words: string,
    isOwn: (id: SessionId) => boolean,
    { signal }: CodeSessionQuery,
  ): Promise<(id: SessionId) => boolean> {
    const inText = await this.#search.ids(words, person, isOwn, signal);
    const byTitle = await this.#index.list({ search: words, accept: isOwn, limit: mostTitleHits, signal });
    const inTitle = new Set(byTitle.sessions.map(({ sessionId }) => sessionId));
    return (id) => inText.has(id) || inTitle.has(id);
  }

  async #find(person: PersonName, id: SessionId): Promise<Found> {
    const stored = await this.#stored(id);
    const entry = (await this.#index.get(id)) ?? (stored && (await this.#lookAgain(id)));
    const owner = stored?.person ?? (entry && this.#options.owner);
    if (owner !== person) throw notFound();
    if (entry) return { entry, stored };
    if (stored) return { entry, stored };
    throw notFound();
  }

  async #stored(id: SessionId): Promise<ClaudeCodeSession | undefined> {
    const session = await this.#options.store.getSession(id);
    return session && toClaudeCode(session);
  }

  /** The index learns about a new file a moment after it was written. */
  async #lookAgain(id: SessionId): Promise<SessionEntry | undefined> {
    if ((await findTranscript(this.#options.engine.home.projects, id)) === undefined) return undefined;
    await this.#index.refresh();
    return this.#index.get(id);
  }

  async #ownerOf(id: SessionId): Promise<PersonName> {
    return (await this.#options.store.getSession(id))?.person ?? this.#options.owner;
  }

  /** Of two concurrent calls the second finds it done. */
  async #adopt(person: PersonName, entry: SessionEntry): Promise<ClaudeCodeSession> {
    const { gateway } = this.#options;
    try {
      const session = await gateway.createSession(person, {
        id: entry.sessionId,
        engine: 'claude-code',
        assistant: 'claude-code',
        title: entry.title,
        settings: { mode: 'ui', workingDir: entry.cwd },
      });
      return toClaudeCode(session);
    } catch (error) {
      if (error instanceof ParleyError && error.code === 'conflict') {
        return toClaudeCode(await gateway.getSession(person, entry.sessionId));
      }
      throw error;
    }
  }
}

function offsetOf(cursor: string): number {
  const offset = /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (Number.isNaN(offset)) throw new ParleyError('invalid', 'The cursor is not one of these messages.');
  return offset;
}

/** The program deletes old transcripts by itself. */
function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw error;
}

function indexCache(cache: TranscriptCache): IndexCache {
  return {
    // Parley wrote them itself, and the index checks their version.
    load: async () => (await cache.load()) as readonly SessionRecord[],
    save: (records) => cache.save(records.map((record) => ({ file: record.file, record }))),
    remove: (files) => cache.remove(files),
  };
}

/** Sessions of the other engine are not found here. */
function toClaudeCode(session: Session): ClaudeCodeSession {
  if (session.engine !== 'claude-code') throw notFound();
  return session;
}

function notFound(): ParleyError {
  return new ParleyError('not_found', 'There is no such session.');
}
