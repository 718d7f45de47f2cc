// Implements the port of Claude Code sessions in memory, over the transcripts of the frame engine.

import { randomUUID } from 'node:crypto';
import { ParleyError, type PastEntry, type SessionId } from '@parley/protocol';
import { personOf } from '../../../src/domain/access.ts';
import type { CodeSession, CodeSessionChange, CodeSessions } from '../../../src/domain/code-sessions.ts';
import type { Gateway } from '../../../src/domain/gateway.ts';
import type { FrameEngine } from './frame-engine.ts';

export class MemorySessions implements CodeSessions {
  readonly #gateway: Gateway;
  readonly #engine: FrameEngine;
  readonly #sessions = new Map<SessionId, CodeSession & { person: string }>();
  readonly #listeners = new Map<string, Set<(change: CodeSessionChange) => void>>();
  /** Folders that `list` cannot read. */
  unreadable: readonly string[] = [];
  /** The queries of `list`. */
  readonly queries: object[] = [];

  constructor(gateway: Gateway, engine: FrameEngine) {
    this.#gateway = gateway;
    this.#engine = engine;
  }

  /** Adds a session that the gateway does not know yet, such as one from a plain terminal. */
  startedElsewhere(person: string): SessionId {
    return this.#store(personOf(person), { id: randomUUID() }).id;
  }

  list: CodeSessions['list'] = async (person, query) => {
    this.queries.push({ ...query, signal: undefined });
    const all = [...this.#sessions.values()].filter((session) => session.person === person);
    const from = Number(query.cursor ?? 0);
    const to = from + query.limit;
    return {
      sessions: all.slice(from, to),
      ...(to < all.length && { next: String(to) }),
      ...(this.unreadable.length > 0 && { unreadable: this.unreadable }),
    };
  };

  get: CodeSessions['get'] = async (person, id) => {
    const session = this.#sessions.get(id);
    if (session?.person !== personOf(person)) throw new ParleyError('not_found', 'There is no such session.');
    return session;
  };

  open: CodeSessions['open'] = async (person, id) => {
    const session = await this.get(person, id);
    await this.#adopt({ ...session, person: personOf(person) });
    return session;
  };

  adopt: CodeSessions['adopt'] = async (person, id) => {
    await this.get(person, id);
    return this.#gateway.getSession(person, id);
  };

  offers: CodeSessions['offers'] = async () => ({ models: [], commands: [] });

  rewind: CodeSessions['rewind'] = async () => ({ possible: false, files: [] });

  messages: CodeSessions['messages'] = async (person, id, { before, limit }) => {
    await this.get(person, id);
    const lines = this.#engine.transcriptOf(id);
    const end = before === undefined ? lines.length : Number(before);
    const start = Math.max(0, end - limit);
    return { lines: lines.slice(start, end), before: start > 0 ? String(start) : undefined };
  };

  find: CodeSessions['find'] = async () => [];
  past: CodeSessions['past'] = async (person, id, query) => {
    const { lines, before } = await this.messages(person, id, query);
    return { entries: lines.map(toEntry), before };
  };

  prepare: CodeSessions['prepare'] = async () => {};

  create: CodeSessions['create'] = async (person, wanted) => {
    if (!wanted.workingDir.startsWith('/work'))
      throw new ParleyError('forbidden', 'Not in the allowed folders.');
    if (wanted.resumeId !== undefined) return this.get(person, wanted.resumeId);
    const session = await this.#gateway.createSession(person, {
      engine: 'claude-code',
      assistant: '',
      ...(wanted.title !== undefined && { title: wanted.title }),
      settings: { workingDir: wanted.workingDir, ...wanted.config },
    });
    return this.#store(personOf(person), { ...wanted, id: session.id });
  };

  rename: CodeSessions['rename'] = async (person, id, title) => {
    const renamed = this.#store(personOf(person), { ...(await this.get(person, id)), title });
    this.#report(personOf(person), { type: 'title', session: renamed });
    return renamed;
  };

  archive: CodeSessions['archive'] = async (person, id, isArchived) =>
    this.#store(personOf(person), { ...(await this.get(person, id)), isArchived });

  fork: CodeSessions['fork'] = async (person, id) => {
    const { workingDir, mode, title } = await this.get(person, id);
    const fork = await this.create(person, { workingDir, mode, title });
    this.#engine.transcriptOf(fork.id).push(...this.#engine.transcriptOf(id));
    return fork;
  };

  remove: CodeSessions['remove'] = async (person, id) => {
    await this.get(person, id);
    await this.#gateway.deleteSession(person, id);
    this.#sessions.delete(id);
  };

  todos: CodeSessions['todos'] = async (_person, id) => this.#engine.todos.get(id) ?? [];

  models: CodeSessions['models'] = () => this.#engine.offered;

  permissionMode: CodeSessions['permissionMode'] = (id) => this.#engine.modes.get(id);

  onChange: CodeSessions['onChange'] = (person, listener) => {
    const listeners = this.#listeners.get(person) ?? new Set();
    this.#listeners.set(person, listeners.add(listener));
    return () => listeners.delete(listener);
  };

  async #adopt({ person, id, workingDir }: CodeSession & { person: string }): Promise<void> {
    try {
      await this.#gateway.getSession(person, id);
    } catch {
      const settings = { workingDir };
      await this.#gateway.createSession(person, { id, engine: 'claude-code', assistant: '', settings });
    }
  }

  #report(person: string, change: CodeSessionChange): void {
    for (const listener of this.#listeners.get(person) ?? []) listener(change);
  }

  #store(person: string, fields: Partial<CodeSession> & { id: SessionId }): CodeSession & { person: string } {
    const session = {
      person,
      title: 'Untitled',
      firstPrompt: undefined,
      workingDir: '/work/garden',
      gitBranch: 'main',
      createdAt: 0,
      updatedAt: 1,
      status: 'archived' as const,
      mode: 'ui' as const,
      isArchived: false,
      isWorking: false,
      isWaiting: false,
      costUsd: undefined,
      sizeBytes: 0,
      sandbox: { kind: 'none' as const, reason: 'off' as const, required: false },
      ...fields,
    };
    this.#sessions.set(session.id, session);
    return session;
  }
}

function toEntry(raw: string): PastEntry {
  const { uuid, timestamp } = JSON.parse(raw) as { uuid?: string; timestamp?: string };
  const at = timestamp === undefined ? null : Date.parse(timestamp);
  return { at, event: { type: 'frame', raw, ...(uuid !== undefined && { uuid }), means: [] } };
}
