// All sessions of Claude Code: those with a transcript, found by the index of the person's home, and those that have not
// started. Every call checks the owner; a foreign session is not found.
import {
  findTranscript,
  renameSession as nameTranscript,
  projectFolderName,
  readPastTasks,
  type SessionEntry,
  type SessionPage,
} from '@parley/claude-cli';
import {
  type ClaudeCodeSession,
  ParleyError,
  type PersonName,
  type Session,
  type SessionId,
  type SessionLevel,
  type Todo,
} from '@parley/protocol';
import { type Actor, personOf, requireAllowedMode, requireLevel } from '../../../domain/access.ts';
import { familyOf } from '../../../domain/branches.ts';
import type {
  CodeMessages,
  CodeMessagesQuery,
  CodePast,
  CodeSession,
  CodeSessionChange,
  CodeSessionQuery,
  CodeSessions,
} from '../../../domain/code-sessions.ts';
import { copySession } from '../move-sessions.ts';
import { forkedSettings, readPersonalSettings } from '../process/settings.ts';
import { toPastEntries } from '../translation/frame-event.ts';
import { ChangeFeed } from './change-feed.ts';
import { forkTranscript } from './fork-transcript.ts';
import { byAge, listPage, type ReadIndex } from './list-page.ts';
import { isRaw, readMessages } from './message-page.ts';
import type { CodeSessionsOptions } from './options.ts';
import { type Shelf, Shelves } from './shelves.ts';
import { type Live, toCodeSession, withoutTranscript } from './to-code-session.ts';
import { isWanted, unstartedSessions } from './unstarted-sessions.ts';

/** A session of the person: its transcript, its row, or both. */
type Found = { readonly shelf: Shelf } & (
  | { readonly entry: SessionEntry; readonly stored: ClaudeCodeSession | undefined }
  | { readonly entry: undefined; readonly stored: ClaudeCodeSession }
);

export class SessionBook {
  readonly #options: CodeSessionsOptions;
  readonly #shelves: Shelves;
  readonly #live: Live;
  readonly #changes: ChangeFeed;

  constructor(options: CodeSessionsOptions) {
    const { engine, folders, store, logger } = options;
    this.#options = options;
    this.#shelves = new Shelves(options);
    this.#live = {
      statusOf: (id) => engine.statusOf(id),
      isWorking: (id) => engine.isWorking(id),
      isWaiting: (id) => engine.isWaiting(id),
      sandboxOf: (path) => folders.sandboxOf(path),
    };
    this.#changes = new ChangeFeed({
      indexOf: async (person) => (await this.#shelves.of(person)).index,
      isOwn: async (person, id) => ((await store.getSession(id))?.person ?? person) === person,
      toSession: async (entry) => toCodeSession(entry, await this.#stored(entry.sessionId), this.#live),
      logger,
    });
  }

  async list(
    actor: Actor,
    query: CodeSessionQuery,
  ): Promise<{ sessions: CodeSession[]; next?: string; unreadable?: readonly string[] }> {
    if (!this.#options.access.mayUse(actor, answering)) return { sessions: [] };
    const person = personOf(actor);
    const shelf = await this.#shelves.of(person);
    // Only after the shelf: with its first use, sessions may move to it.
    const known = await this.#options.store.codeSessions.known();
    const isOwn = (id: SessionId) => (known.get(id)?.person ?? person) === person;
    const isListed = (id: SessionId) => isOwn(id) && known.get(id)?.isHidden !== true;
    const accept =
      query.fullText && query.q ? await shelf.search.containing(query.q, isOwn, query.signal) : isListed;
    const fresh = await unstartedSessions(person, query, shelf.index, this.#options, this.#live);
    const unstarted = fresh.filter(({ id }) => isListed(id));
    const shared = await this.#shared(actor, query);
    let unreadable: readonly string[] = [];
    const readSome: ReadIndex = async (cursor, limit) => {
      const isStartedHere = (id: SessionId) => known.get(id)?.isStartedHere === true;
      const page = await readIndex(shelf, { ...query, limit }, cursor, accept, isStartedHere);
      unreadable = page.unreadable.map(({ folder }) => folder);
      return page;
    };
    const { listed, next } = await listPage(readSome, [...unstarted, ...shared].sort(byAge), query);
    const sessions = await Promise.all(
      listed.map(async (one) => {
        if ('unstarted' in one) return one.unstarted;
        const { entry } = one;
        const stored = known.has(entry.sessionId) ? await this.#stored(entry.sessionId) : undefined;
        return toCodeSession(entry, stored, this.#live);
      }),
    );
    const isShown = ({ workingDir }: CodeSession) =>
      query.workingDir === undefined || workingDir === query.workingDir;
    return {
      sessions: sessions.filter(isShown),
      ...(next !== undefined && { next }),
      ...(unreadable.length > 0 && { unreadable }),
    };
  }

  async get(actor: Actor, id: SessionId): Promise<CodeSession> {
    const { entry, stored } = await this.#find(actor, id, 'read');
    const session = entry ? toCodeSession(entry, stored, this.#live) : withoutTranscript(stored, this.#live);
    const level = stored && this.#options.access.levelOf(actor, stored);
    const isForeign = stored !== undefined && stored.person !== personOf(actor);
    if (!isForeign || level === undefined || level === 'own') return session;
    return { ...session, shared: { owner: stored.person, access: level } };
  }

  async open(actor: Actor, id: SessionId): Promise<CodeSession> {
    const found = await this.#find(actor, id, 'read');
    if (found.entry && !found.stored) await this.#adopt(personOf(actor), found.entry);
    return this.get(actor, id);
  }

  async adopt(actor: Actor, id: SessionId): Promise<Session> {
    const person = personOf(actor);
    const { homes } = this.#options.engine;
    const outside = await this.#shelves.of(homes.owner);
    const own = await this.#shelves.of(person);
    const entry = await entryIn(outside, id);
    if (!entry || (await this.#stored(id))) throw notFound();
    if (own !== outside) await copySession(id, { from: outside.home.config, to: own.home.config });
    return this.#adopt(person, entry);
  }

  async messages(actor: Actor, id: SessionId, query: CodeMessagesQuery): Promise<CodeMessages> {
    const { entry } = await this.#find(actor, id, 'read');
    const { frames, before } = await readMessages(entry, query, isRaw);
    return { lines: frames.map((frame) => frame.text), before };
  }

  async past(actor: Actor, id: SessionId, query: CodeMessagesQuery): Promise<CodePast> {
    const { entry } = await this.#find(actor, id, 'read');
    const { frames, before } = await readMessages(entry, query);
    return { entries: toPastEntries(frames, query.subagentOf), before };
  }

  async todos(actor: Actor, id: SessionId): Promise<readonly Todo[]> {
    const { entry } = await this.#find(actor, id, 'read');
    const awake = this.#options.engine.todosOf(id);
    return awake ?? (entry ? (await readPastTasks(entry.file)).list : []);
  }

  async create(actor: Actor, wanted: Parameters<CodeSessions['create']>[1]): Promise<CodeSession> {
    const { gateway, folders, engine } = this.#options;
    const config = readPersonalSettings(wanted.config ?? {});
    if (wanted.resumeId !== undefined) {
      await this.open(actor, wanted.resumeId);
      await gateway.configure(actor, wanted.resumeId, { ...config, mode: wanted.mode });
      return this.get(actor, wanted.resumeId);
    }
    const workingDir = await folders.check(personOf(actor), wanted.workingDir);
    const settings = { ...config, mode: wanted.mode, workingDir };
    const id = wanted.mode === 'ui' ? await engine.warmId(personOf(actor), settings) : undefined;
    const session = await gateway.createSession(actor, {
      ...(id !== undefined && { id }),
      engine: 'claude-code',
      assistant: 'claude-code',
      title: wanted.title ?? '',
      settings,
    });
    const created = withoutTranscript(toClaudeCode(session), this.#live);
    this.#changes.report(personOf(actor), { type: 'added', session: created });
    return created;
  }

  async prepare(actor: Actor, wanted: Parameters<CodeSessions['prepare']>[1]): Promise<void> {
    const { access, folders, engine } = this.#options;
    const config = readPersonalSettings(wanted.config ?? {});
    requireAllowedMode(access, personOf(actor), config);
    const workingDir = await folders.check(personOf(actor), wanted.workingDir);
    await engine.prepare(personOf(actor), { ...config, workingDir });
  }

  async rename(actor: Actor, id: SessionId, title: string): Promise<CodeSession> {
    const found = await this.#find(actor, id, 'own');
    if (title.trim() === '')
      throw new ParleyError('invalid', 'A title needs at least one visible character.');
    for (const member of await this.#family(found)) await found.shelf.index.rename(member, title);
    if (found.stored) await this.#options.gateway.renameSession(actor, id, title.trim());
    const renamed = await this.get(actor, id);
    if (!found.entry) this.#changes.report(personOf(actor), { type: 'title', session: renamed });
    return renamed;
  }

  async archive(actor: Actor, id: SessionId, isArchived: boolean): Promise<CodeSession> {
    const found = await this.#find(actor, id, 'own');
    for (const member of await this.#family(found)) await found.shelf.index.archive(member, isArchived);
    if (!found.entry) await this.#options.gateway.configure(actor, id, { isArchived });
    if (isArchived) await this.#options.engine.rest(id);
    return this.get(actor, id);
  }

  async fork(actor: Actor, id: SessionId): Promise<CodeSession> {
    const { gateway, newId } = this.#options;
    const { entry, stored, shelf } = await this.#find(actor, id, 'own');
    if (!entry) throw new ParleyError('invalid', 'This session is empty, so there is nothing to fork.');
    const forkId = newId();
    const title = `${entry.title} (fork)`;
    const copy = await forkTranscript(entry.file, id, forkId);
    await nameTranscript(copy, title);
    await gateway.createSession(actor, {
      id: forkId,
      engine: 'claude-code',
      assistant: 'claude-code',
      title,
      settings: {
        ...forkedSettings(stored?.settings ?? {}),
        ...(stored && { forkedFrom: id }),
        workingDir: entry.cwd ?? stored?.settings.workingDir,
      },
    });
    await shelf.index.refresh();
    return this.get(actor, forkId);
  }

  async remove(actor: Actor, id: SessionId): Promise<void> {
    const found = await this.#find(actor, id, 'own');
    const transcripts = await this.#family(found);
    if (found.stored) await this.#options.gateway.deleteSession(actor, id);
    for (const member of transcripts) await found.shelf.index.delete(member);
    if (!found.entry) this.#changes.report(personOf(actor), { type: 'removed', id });
  }

  onChange(person: PersonName, listener: (change: CodeSessionChange) => void): () => void {
    return this.#changes.listen(person, listener);
  }

  async close(): Promise<void> {
    await this.#shelves.close();
  }

  /** Those that others share with the actor. They are few, and lie in the homes of their owners. */
  async #shared(actor: Actor, query: CodeSessionQuery): Promise<CodeSession[]> {
    const { access, store } = this.#options;
    const found = await Promise.all(
      access.sharedWith(personOf(actor)).map(async (id) => {
        const stored = await store.getSession(id);
        const isSeen = stored?.engine === 'claude-code' && access.levelOf(actor, stored) !== undefined;
        return isSeen ? [await this.get(actor, id)] : [];
      }),
    );
    return found.flat().filter((session) => isWanted(session, query));
  }

  async #find(actor: Actor, id: SessionId, needed: SessionLevel): Promise<Found> {
    const { access } = this.#options;
    const stored = await this.#stored(id);
    const person = stored?.person ?? personOf(actor);
    if (stored) requireLevel(access, actor, stored, needed);
    const shelf = await this.#shelves.of(person);
    const entry = await entryIn(shelf, id);
    if (!stored) requireLevel(access, actor, entry && { ...answering, id, person }, needed);
    if (entry) return { shelf, entry, stored };
    if (stored) return { shelf, entry, stored };
    throw notFound();
  }

  /** The session and its branches, as far as they have a transcript. */
  async #family({ shelf, entry, stored }: Found): Promise<readonly SessionId[]> {
    if (!stored) return entry ? [entry.sessionId] : [];
    const branches = await this.#options.gateway.branches(stored.person, stored.id);
    const members = await Promise.all(familyOf(stored.id, branches).map((id) => shelf.index.get(id)));
    return members.flatMap((member) => member?.sessionId ?? []);
  }

  async #stored(id: SessionId): Promise<ClaudeCodeSession | undefined> {
    const session = await this.#options.store.getSession(id);
    return session && toClaudeCode(session);
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
        settings: { mode: 'ui', workingDir: entry.cwd, startedElsewhere: true },
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

async function readIndex(
  { index }: Shelf,
  query: CodeSessionQuery,
  cursor: string | undefined,
  accept: (id: SessionId) => boolean,
  standsApart: (id: SessionId) => boolean,
): Promise<SessionPage> {
  try {
    return await index.list({
      limit: query.limit,
      cursor,
      search: query.fullText ? undefined : query.q,
      project: query.workingDir === undefined ? undefined : projectFolderName(query.workingDir),
      archived: query.archived ?? false,
      signal: query.signal,
      accept,
      // Forks that somebody made on purpose are listed separately.
      standsApart,
    });
  } catch (error) {
    if (error instanceof TypeError) throw new ParleyError('invalid', 'The cursor is not one of this list.');
    throw error;
  }
}

/** Looks for the file too: the index learns about a new one a moment after it was written. */
async function entryIn({ home, index }: Shelf, id: SessionId): Promise<SessionEntry | undefined> {
  const known = await index.get(id);
  if (known || (await findTranscript(home.projects, id)) === undefined) return known;
  await index.refresh();
  return index.get(id);
}

const answering = { engine: 'claude-code', assistant: 'claude-code' } as const;

/** Sessions of the other engine are not found here. */
function toClaudeCode(session: Session): ClaudeCodeSession {
  if (session.engine !== 'claude-code') throw notFound();
  return session;
}

function notFound(): ParleyError {
  return new ParleyError('not_found', 'There is no such session.');
}
