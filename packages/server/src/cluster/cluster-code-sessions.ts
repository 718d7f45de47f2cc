// The Claude Code sessions of all machines in one list. For machines where no server runs, it lists what the database
// knows about their sessions.
import type { CodeSessionList, CodeSessionView, SessionId } from '@parley/protocol';
import { type Access, type Actor, isForwarded, personOf } from '../domain/access.ts';
import { fromSessionView } from '../domain/code-session-view.ts';
import {
  byAge,
  type CodeSession,
  type CodeSessionQuery,
  type CodeSessions,
  type LiveCodeSessions,
  matchesQuery,
  withoutTranscript,
} from '../domain/code-sessions.ts';
import type { MachineRecords } from '../domain/machines.ts';
import { movedAway } from '../domain/ownership.ts';
import type { Server } from '../domain/server-registry.ts';
import type { ClusterMachines } from './cluster-machines.ts';
import { type MachinePage, mergePages, parsePlace } from './merged-pages.ts';

export interface ClusterCodeSessionsParts {
  readonly local: CodeSessions;
  readonly here: string;
  readonly machines: Pick<ClusterMachines, 'others' | 'ask' | 'serverOfSession'>;
  readonly records: Pick<MachineRecords, 'onOtherMachines'>;
  readonly access: Pick<Access, 'levelOf' | 'sharedWith'>;
}

/** A search through all messages takes longer than a page. */
const searchMs = 30_000;
/** More than anybody looks through while they can't use them. */
const maxOffline = 200;

export function createClusterCodeSessions(parts: ClusterCodeSessionsParts): CodeSessions {
  const { local, here, machines, records, access } = parts;

  async function list(actor: Actor, query: CodeSessionQuery): ReturnType<CodeSessions['list']> {
    if (isForwarded(actor)) return local.list(actor, query);
    const place = parsePlace(query.cursor);
    const others = await machines.others();
    const unreadable: string[] = [];
    let isIndexing = false;
    /** Undefined if the machine has no more to list. */
    async function pageOf(source: string, read: (wanted: CodeSessionQuery) => Promise<ReadPage>) {
      if (place.cursors && !place.cursors.has(source)) return undefined;
      const { cursor: _merged, ...wanted } = query;
      const cursor = place.cursors?.get(source);
      const page = await read({ ...wanted, ...(cursor !== undefined && { cursor }) });
      unreadable.push(...(page.unreadable ?? []));
      isIndexing ||= page.isIndexing ?? false;
      const sessions = page.sessions.map((one) => (others.length > 0 ? { ...one, machine: source } : one));
      return { ...page, sessions, source, cursor };
    }
    const pages: (MachinePage | undefined)[] = await Promise.all([
      pageOf(here, (wanted) => local.list(actor, wanted)),
      ...others.map((other) =>
        pageOf(other.machine, (wanted) => readFrom(other, actor, wanted)).catch((error: unknown) => {
          if (query.signal?.aborted) throw error;
          const { machine: source } = other;
          return { source, cursor: place.cursors?.get(source), sessions: [], isSilent: true };
        }),
      ),
    ]);
    const found = pages.filter((page) => page !== undefined);
    const silent = new Set(found.flatMap(({ source, isSilent }) => (isSilent ? [source] : [])));
    const answering = [here, ...others.map(({ machine }) => machine)].filter((one) => !silent.has(one));
    const offline = await offlineSessions(actor, query, answering);
    const absent = { source: offlineSource, cursor: undefined, sessions: offline };
    const { sessions, next } = mergePages([...found, absent], place, query.limit);
    return {
      sessions,
      ...(next !== undefined && { next }),
      ...(unreadable.length > 0 && { unreadable }),
      ...(isIndexing ? { isIndexing } : {}),
    };
  }

  async function readFrom(other: Server, actor: Actor, query: CodeSessionQuery): Promise<ReadPage> {
    const path = `/api/claude/sessions?${parametersOf(query)}`;
    const { signal, fullText } = query;
    const list = await machines.ask<CodeSessionList>(other, actor, path, {
      signal,
      ...(fullText && { ms: searchMs }),
    });
    return {
      sessions: list.sessions.map(fromSessionView),
      ...(list.next_cursor !== null && { next: list.next_cursor }),
      ...(list.unreadable && { unreadable: list.unreadable }),
      ...(list.indexing && { isIndexing: true }),
    };
  }

  async function offlineSessions(
    actor: Actor,
    query: CodeSessionQuery,
    answering: readonly string[],
  ): Promise<CodeSession[]> {
    const person = personOf(actor);
    const wanted = { person, also: access.sharedWith(person), machines: answering, limit: maxOffline };
    const known = await records.onOtherMachines(wanted);
    return known
      .flatMap(({ session, machine }) => {
        const level = access.levelOf(actor, session);
        if (level === undefined) return [];
        const shared = level !== 'own' && { shared: { owner: session.person, access: level } };
        return [{ ...withoutTranscript(session, asleep), machine, isOffline: true, ...shared }];
      })
      .filter((session) => matchesQuery(session, query))
      .sort(byAge);
  }

  return {
    ...local,
    list,
    async offers(actor, id) {
      // Only its own machine can start its program.
      if (await machines.serverOfSession(actor, id)) throw movedAway();
      return local.offers(actor, id);
    },
    async open(actor, id) {
      const other = await machines.serverOfSession(actor, id);
      if (!other) return local.open(actor, id);
      // This makes it known to the gateway.
      await machines.ask(other, actor, `/api/sessions/${encodeURIComponent(id)}/state`);
      return fromSessionView(await machines.ask<CodeSessionView>(other, actor, pathOf(id)));
    },
    async archive(actor, id, isArchived) {
      const other = await machines.serverOfSession(actor, id);
      if (!other) return local.archive(actor, id, isArchived);
      const change = { method: 'PATCH', body: { archived: isArchived } } as const;
      return fromSessionView(await machines.ask<CodeSessionView>(other, actor, pathOf(id), change));
    },
    async remove(actor, id) {
      const other = await machines.serverOfSession(actor, id);
      if (!other) return local.remove(actor, id);
      await machines.ask(other, actor, pathOf(id), { method: 'DELETE' });
    },
  };
}

function pathOf(id: SessionId): string {
  return `/api/claude/sessions/${encodeURIComponent(id)}`;
}

/** Not the name of a machine. */
const offlineSource = '';

interface ReadPage extends Omit<MachinePage, 'source' | 'cursor'> {
  readonly unreadable?: readonly string[];
  readonly isIndexing?: boolean;
}

function parametersOf({
  limit,
  cursor,
  q,
  fullText,
  workingDir,
  archived,
  marked,
}: CodeSessionQuery): string {
  const parameters = new URLSearchParams({ limit: String(limit) });
  if (cursor !== undefined) parameters.set('cursor', cursor);
  if (q !== undefined) parameters.set('q', q);
  if (workingDir !== undefined) parameters.set('project', workingDir);
  if (fullText) parameters.set('full_text', 'true');
  if (archived) parameters.set('archived', 'true');
  if (marked?.pinned) parameters.set('pinned', 'true');
  if (marked?.tag !== undefined) parameters.set('tag', marked.tag);
  return String(parameters);
}

/** Nothing is awake on a machine without a server, and its sandbox is unknown. */
const asleep: LiveCodeSessions = {
  statusOf: () => 'archived',
  isWorking: () => false,
  isWaiting: () => false,
  sandboxOf: () => ({ kind: 'none', reason: 'unsupported', required: false }),
};
