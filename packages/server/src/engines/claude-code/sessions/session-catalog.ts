// The sessions of Claude Code: their transcripts, from the index of the owner's home, joined with what Parley stores. Every
// call checks what the actor may do.
import { rm } from 'node:fs/promises';
import {
  renameSession as nameTranscript,
  readPastTasks,
  type SessionEntry,
  searchTranscripts,
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
import { derivedId } from '../../../basics/derived-id.ts';
import { type Actor, personOf, requireAllowedMode, requireLevel } from '../../../domain/access.ts';
import { familyOf } from '../../../domain/branches.ts';
import {
  type CodeMessages,
  type CodeMessagesQuery,
  type CodePast,
  type CodeSession,
  type CodeSessionChange,
  type CodeSessionQuery,
  type CodeSessions,
  type LiveCodeSessions,
  type SessionHit,
  withoutTranscript,
} from '../../../domain/code-sessions.ts';
import { copySession } from '../move-sessions.ts';
import { forkedSettings, readPersonalSettings } from '../process/settings.ts';
import { toPastEntries } from '../translation/frame-event.ts';
import { ChangeFeed } from './change-feed.ts';
import type { CodeSessionsOptions } from './code-sessions-options.ts';
import { forkTranscript } from './fork-transcript.ts';
import { entryIn, HomeTranscripts, type PersonTranscripts } from './home-transcripts.ts';
import { isRaw, readMessages } from './message-page.ts';
import { type ListedSessions, listSessions } from './session-list.ts';
import { answering, toCodeSession } from './to-code-session.ts';

/** A session of the person: its transcript, its row, or both. */
type Found = { readonly home: PersonTranscripts } & (
  | { readonly entry: SessionEntry; readonly stored: ClaudeCodeSession | undefined }
  | { readonly entry: undefined; readonly stored: ClaudeCodeSession }
);

/** How much of a transcript is searched, from its start. */
const maxSearchedBytes = 512 * 1024 ** 2;

export class SessionCatalog {
  readonly #options: CodeSessionsOptions;
  readonly #transcripts: HomeTranscripts;
  readonly #live: LiveCodeSessions;
  readonly #changes: ChangeFeed;
  /** Those that are being made. */
  readonly #forks = new Map<SessionId, Promise<CodeSession>>();

  constructor(options: CodeSessionsOptions) {
    const { engine, folders, store, logger } = options;
    this.#options = options;
    this.#transcripts = new HomeTranscripts(options);
    this.#live = {
      statusOf: (id) => engine.statusOf(id),
      isWorking: (id) => engine.isWorking(id),
      isWaiting: (id) => engine.isWaiting(id),
      sandboxOf: (path) => folders.sandboxOf(path),
    };
    this.#changes = new ChangeFeed({
      indexOf: async (person) => (await this.#transcripts.of(person)).index,
      isOwn: async (person, id) => ((await store.getSession(id))?.person ?? person) === person,
      toSession: (entry) => this.#toSession(entry),
      logger,
    });
  }

  list(actor: Actor, query: CodeSessionQuery): Promise<ListedSessions> {
    return listSessions(actor, query, {
      options: this.#options,
      live: this.#live,
      transcriptsOf: (person) => this.#transcripts.of(person),
      get: (who, id) => this.get(who, id),
      toSession: (entry, isStored) => this.#toSession(entry, isStored),
    });
  }

  async get(actor: Actor, id: SessionId): Promise<CodeSession> {
    const { entry, stored } = await this.#find(actor, id, 'read');
    const session = entry ? toCodeSession(entry, stored, this.#live) : withoutTranscript(stored, this.#live);
    const level = stored && this.#options.access.levelOf(actor, stored);
    if (!stored || stored.person === personOf(actor) || level === undefined || level === 'own')
      return session;
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
    const outside = await this.#transcripts.of(homes.owner);
    const own = await this.#transcripts.of(person);
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

  async find(actor: Actor, id: SessionId, text: string, limit: number): Promise<readonly SessionHit[]> {
    const { entry } = await this.#find(actor, id, 'read');
    const hits: SessionHit[] = [];
    const bounds = { maxHits: limit, maxHitsPerFile: limit, maxBytes: maxSearchedBytes };
    for await (const hit of searchTranscripts(entry ? [entry.file] : [], text, bounds))
      if (hit.uuid !== undefined) hits.push({ id: hit.uuid, role: hit.role, snippet: hit.excerpt });
    return hits;
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
      ...answering,
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
    for (const member of await this.#family(found)) await found.home.index.rename(member, title);
    if (found.stored) await this.#options.gateway.renameSession(actor, id, title.trim());
    const renamed = await this.get(actor, id);
    if (!found.entry) this.#changes.report(personOf(actor), { type: 'title', session: renamed });
    return renamed;
  }

  async archive(actor: Actor, id: SessionId, isArchived: boolean): Promise<CodeSession> {
    const found = await this.#find(actor, id, 'own');
    for (const member of await this.#family(found)) await found.home.index.archive(member, isArchived);
    if (!found.entry) await this.#options.gateway.configure(actor, id, { isArchived });
    if (isArchived) await this.#options.engine.rest(id);
    return this.get(actor, id);
  }

  fork(actor: Actor, id: SessionId, key = this.#options.newId()): Promise<CodeSession> {
    const forkId = derivedId(id, personOf(actor), key);
    const fork =
      this.#forks.get(forkId) ?? this.#fork(actor, id, forkId).finally(() => this.#forks.delete(forkId));
    this.#forks.set(forkId, fork);
    return fork;
  }

  async #fork(actor: Actor, id: SessionId, forkId: SessionId): Promise<CodeSession> {
    const { gateway, store } = this.#options;
    const { entry, stored, home } = await this.#find(actor, id, 'own');
    // Never over the transcript of a fork that can be restored.
    const isMade = (await this.#stored(forkId)) ?? (await store.marks.hidden()).has(forkId);
    if (isMade) return this.get(actor, forkId);
    if (!entry) throw new ParleyError('invalid', 'This session is empty, so there is nothing to fork.');
    const title = `${entry.title} (fork)`;
    const copy = await forkTranscript(entry.file, id, forkId);
    try {
      await nameTranscript(copy, title);
      await gateway.createSession(actor, {
        id: forkId,
        ...answering,
        title,
        settings: {
          ...forkedSettings(stored?.settings ?? {}),
          ...(stored && { forkedFrom: id }),
          workingDir: entry.cwd ?? stored?.settings.workingDir,
        },
      });
    } catch (error) {
      // Otherwise it would be listed as a session that was started elsewhere.
      await rm(copy, { force: true });
      throw error;
    }
    await home.index.refresh();
    return this.get(actor, forkId);
  }

  async remove(actor: Actor, id: SessionId): Promise<void> {
    const found = await this.#find(actor, id, 'own');
    const transcripts = await this.#family(found);
    if (found.stored) await this.#options.gateway.deleteSession(actor, id);
    for (const member of transcripts) {
      const file = (await found.home.index.get(member))?.file;
      await found.home.index.delete(member);
      if (file !== undefined) await found.home.indexer.forget(file);
    }
    if (!found.entry) this.#changes.report(personOf(actor), { type: 'removed', id });
  }

  onChange(person: PersonName, listener: (change: CodeSessionChange) => void): () => void {
    return this.#changes.listen(person, listener);
  }

  async close(): Promise<void> {
    await this.#transcripts.close();
  }

  async #find(actor: Actor, id: SessionId, needed: SessionLevel): Promise<Found> {
    const { access } = this.#options;
    const stored = await this.#stored(id);
    const person = stored?.person ?? personOf(actor);
    if (stored) requireLevel(access, actor, stored, needed);
    const home = await this.#transcripts.of(person);
    const entry = await entryIn(home, id);
    // The row of a removed session is hidden, so its transcript would look like one that was started elsewhere.
    if (!stored && (await this.#options.store.marks.hidden()).has(id)) throw notFound();
    if (!stored) requireLevel(access, actor, entry && { ...answering, id, person }, needed);
    if (entry) return { home, entry, stored };
    if (stored) return { home, entry, stored };
    throw notFound();
  }

  /** The session and its branches, as far as they have a transcript. */
  async #family({ home, entry, stored }: Found): Promise<readonly SessionId[]> {
    if (!stored) return entry ? [entry.sessionId] : [];
    const branches = await this.#options.gateway.branches(stored.person, stored.id);
    const members = await Promise.all(familyOf(stored.id, branches).map((id) => home.index.get(id)));
    return members.flatMap((member) => member?.sessionId ?? []);
  }

  async #toSession(entry: SessionEntry, isStored = true): Promise<CodeSession> {
    return toCodeSession(entry, isStored ? await this.#stored(entry.sessionId) : undefined, this.#live);
  }

  async #stored(id: SessionId): Promise<ClaudeCodeSession | undefined> {
    const session = await this.#options.store.getSession(id);
    return session && toClaudeCode(session);
  }

  /** Of two concurrent calls, the second one returns what the first one made. */
  async #adopt(person: PersonName, entry: SessionEntry): Promise<ClaudeCodeSession> {
    const { gateway } = this.#options;
    try {
      const session = await gateway.createSession(person, {
        id: entry.sessionId,
        ...answering,
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

/** Sessions of the other engine are not found here. */
function toClaudeCode(session: Session): ClaudeCodeSession {
  if (session.engine !== 'claude-code') throw notFound();
  return session;
}

function notFound(): ParleyError {
  return new ParleyError('not_found', 'There is no such session.');
}
