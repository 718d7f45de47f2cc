// Conversations with any assistant, as the web app shows them: list, history and current state.
import {
  type AssistantEntry,
  type ClaudeCodeSession,
  ParleyError,
  type Session,
  type Turn,
} from '@parley/protocol';
import { cleanText } from '../../../content/clean-text.ts';
import type { Access, Actor } from '../../../domain/access.ts';
import { versionsOf } from '../../../domain/branches.ts';
import { toSessionView } from '../../../domain/code-session-view.ts';
import { type CodeSessions, openSession } from '../../../domain/code-sessions.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import { costParts } from '../../../domain/prices.ts';
import { withoutReplaced } from '../../../domain/replaced-turns.ts';
import { type Organizer, toListOptions } from '../../../domain/session-marks.ts';
import { toSessionId } from '../../session-id.ts';
import type { App } from '../app.ts';
import { onlyForwarded } from '../forwarding.ts';
import { findInTurns, longestWord } from './find.ts';
import { toShownQueue, toShownTurn, toTurnEntries, totalUsage, withTurns } from './history.ts';
import * as schemas from './schemas.ts';

/** How many forks back the history looks up turns. Earlier ones show neither their author nor their cost. */
const maxForks = 10;

/** For routes that need a Claude Code session's transcript, which is on its machine. */
export const onMachine = { needs: 'session' } as const;

export interface SessionServices {
  readonly gateway: Gateway;
  readonly assistants: () => readonly AssistantEntry[];
  readonly models: () => readonly string[];
  readonly access: Access;
  readonly organizer?: Organizer | undefined;
  /** Absent if Claude Code is switched off. */
  readonly codeSessions: CodeSessions | undefined;
}

export function sessionRoutes(app: App, services: SessionServices): void {
  const { gateway, assistants, models, codeSessions, access, organizer } = services;

  const levelOf = (actor: Actor, session: Session) => access.levelOf(actor, session) ?? 'read';
  const marked =
    (actor: Actor) =>
    <One extends Session>(session: One) => ({ ...session, access: levelOf(actor, session) });

  const settingsOf = (model: string | undefined) => {
    if (model === undefined) return {};
    if (!models().includes(model)) {
      throw new ParleyError('invalid', `There is no such model here. Choose from: ${models().join(', ')}.`);
    }
    return { model };
  };

  app.get('/api/sessions', { schema: schemas.list }, async ({ actor, query }) => {
    const { q, limit, cursor, pinned, archived, tag } = query;
    const mark = marked(actor);
    const listed = organizer && toListOptions(await organizer.marks(actor), { pinned, archived, tag });
    if (q !== undefined && q.trim() !== '') {
      // Without a filter, what is archived is found too.
      const among = listed?.only && new Set(listed.only);
      const found = await gateway.search(actor, q, limit, among);
      return { sessions: found.map(({ session, hits }) => ({ ...mark(session), hits: [...hits] })) };
    }
    const page = { limit, ...(cursor !== undefined && { cursor }), ...listed };
    const { sessions, next } = await gateway.listSessions(actor, page);
    return { sessions: sessions.map(mark), ...(next !== undefined && { nextCursor: next }) };
  });

  app.post('/api/sessions', { schema: schemas.create }, async ({ actor, body }, reply) => {
    const assistant = assistants().find(({ name }) => name === body.assistant);
    if (!assistant) {
      const known = assistants().map(({ name }) => name);
      throw new ParleyError('invalid', `There is no such assistant here. Choose from: ${known.join(', ')}.`);
    }
    const title = cleanText(body.title ?? '').trim();
    const session = await gateway.createSession(actor, {
      engine: assistant.engine,
      assistant: assistant.name,
      title,
      settings: settingsOf(body.model),
    });
    return reply.code(201).send(session);
  });

  app.get('/api/sessions/:id', { config: onMachine, schema: schemas.get }, async ({ actor, params }) => {
    const id = toSessionId(params.id);
    await openSession(gateway, codeSessions, actor, id);
    const turns = await gateway.turns(actor, id);
    const { session, running, queue, permissions, lastSeq } = await gateway.state(actor, id);
    const code = await codeDetails(session);
    return {
      session,
      access: levelOf(actor, session),
      turns: withoutReplaced(turns).map(toShownTurn),
      usage: totalUsage(turns),
      running: running ?? null,
      queue: toShownQueue(queue),
      permissions: [...permissions],
      lastSeq,
      ...(code && { code }),
    };
  });

  app.get('/api/sessions/:id/state', { schema: schemas.state }, async ({ actor, params }) => {
    const id = toSessionId(params.id);
    await openSession(gateway, codeSessions, actor, id);
    const { running = null, ahead = null, queue, permissions, ...state } = await gateway.state(actor, id);
    return { ...state, running, ahead, queue: [...queue], permissions: [...permissions] };
  });

  app.get(
    '/api/sessions/:id/past',
    { config: onMachine, schema: schemas.past },
    async ({ actor, params, query }) => {
      const id = toSessionId(params.id);
      const { before, limit, subagent, whole } = query;
      const session = await openSession(gateway, codeSessions, actor, id);
      if (!isCode(session) && whole) {
        const { lastSeq: after } = await gateway.state(actor, id);
        const turns = (await gateway.turns(actor, id)).filter(({ startedAt }) => startedAt !== undefined);
        return { entries: turns.slice(-limit).flatMap(toTurnEntries), before: null, after };
      }
      if (!isCode(session)) {
        const page = { limit, ...(before !== undefined && { before }) };
        const { turns, before: next, after } = await gateway.pastTurns(actor, id, page);
        return { entries: turns.flatMap(toTurnEntries), before: next ?? null, after };
      }
      // First the number, then the lines: what happens in between is in both, so nothing is lost.
      const { turnAfter: after } = await gateway.state(actor, id);
      const page = await codeSessions?.past(actor, id, {
        limit,
        ...(before !== undefined && { before }),
        ...(subagent !== undefined && { subagentOf: subagent }),
      });
      const lines = page?.entries ?? [];
      const entries =
        subagent === undefined
          ? withTurns(lines, await turnsBehind(session), before === undefined)
          : [...lines];
      return { entries, before: page?.before ?? null, after };
    },
  );

  app.get(
    '/api/sessions/:id/find',
    { config: onMachine, schema: schemas.find },
    async ({ actor, params, query }) => {
      const session = await openSession(gateway, codeSessions, actor, toSessionId(params.id));
      const { q, limit } = query;
      const find = async (text: string) =>
        codeSessions && isCode(session)
          ? codeSessions.find(actor, session.id, text, limit + 1)
          : findInTurns(withoutReplaced(await gateway.turns(actor, session.id)), text);
      const hits = await find(q);
      // The list's search finds words anywhere in a message. If the whole text isn't there, look for its longest word.
      const found = hits.length > 0 ? hits : await find(longestWord(q));
      return { hits: found.slice(0, limit), truncated: found.length > limit };
    },
  );

  app.get('/api/sessions/:id/versions', { schema: schemas.versions }, async ({ actor, params }) => {
    const { id } = await openSession(gateway, codeSessions, actor, toSessionId(params.id));
    const branches = await gateway.branches(actor, id);
    const turns = branches.length === 0 ? [] : await gateway.turns(actor, id);
    return { versions: [...versionsOf(id, branches, turns)] };
  });

  app.get('/api/sessions/:id/context', { schema: schemas.context }, async ({ actor, params }) => {
    const session = await openSession(gateway, codeSessions, actor, toSessionId(params.id));
    const context = await gateway.context(actor, session.id);
    const usage = totalUsage(await gateway.turns(actor, session.id));
    return { context: context ?? null, usage, costs: [...costParts(usage, session.settings.model)] };
  });

  app.post(
    '/api/sessions/:id/forks',
    { config: onMachine, schema: schemas.fork },
    async ({ actor, params, body, headers }, reply) => {
      const session = await openSession(gateway, codeSessions, actor, toSessionId(params.id));
      const { before } = body;
      const key = headers['idempotency-key'];
      if (!codeSessions || !isCode(session))
        return reply.code(201).send(await gateway.fork(actor, session.id, before, key));
      const { id, title } =
        before === undefined
          ? await codeSessions.fork(actor, session.id, key)
          : await gateway.fork(actor, session.id, before, key);
      // The list shows the title of the transcript.
      if (before !== undefined) await codeSessions.rename(actor, id, title);
      return reply.code(201).send(await gateway.getSession(actor, id));
    },
  );

  /** Oldest first. A fork begins with the turns of the session that it comes from, while that still exists. */
  async function turnsBehind({ person, id, settings }: ClaudeCodeSession, forks = 0): Promise<Turn[]> {
    const own = await gateway.turns(person, id);
    if (forks === maxForks) return [...own];
    const branch = (await gateway.branches(person, id)).find(({ sessionId }) => sessionId === id);
    if (branch?.after === null) return [...own];
    const origin = branch?.parentId ?? settings.forkedFrom;
    const earlier = origin && (await gateway.getSession(person, origin).catch(() => undefined));
    const before = earlier && isCode(earlier) ? await turnsBehind(earlier, forks + 1) : [];
    const last = branch ? before.findIndex((turn) => turn.id === branch.after) : -1;
    return [...(last < 0 ? before : before.slice(0, last + 1)), ...own];
  }

  app.patch(
    '/api/sessions/:id',
    { config: onMachine, schema: schemas.change },
    async ({ actor, params, body }) => {
      const id = toSessionId(params.id);
      const { model, permissionMode } = body;
      const title = body.title === undefined ? undefined : cleanText(body.title).trim();
      if (title === '') throw new ParleyError('invalid', '`title` is empty.');
      const session = await openSession(gateway, codeSessions, actor, id);
      if (permissionMode !== undefined && !isCode(session)) throw noPermissionModes;
      // The program knows which models and modes there are.
      const chosen = isCode(session) ? { ...(model !== undefined && { model }) } : settingsOf(model);
      const settings = onlyForwarded(actor, body.settings);
      if (settings) await gateway.configure(actor, id, settings);
      if (model !== undefined || permissionMode !== undefined) {
        await gateway.configure(actor, id, {
          ...chosen,
          ...(permissionMode !== undefined && { permissionMode }),
        });
      }
      if (title !== undefined && isCode(session)) await codeSessions?.rename(actor, id, title);
      else if (title !== undefined) await gateway.renameSession(actor, id, title);
      return gateway.getSession(actor, id);
    },
  );

  app.delete(
    '/api/sessions/:id',
    { config: onMachine, schema: schemas.remove },
    async ({ actor, params }, reply) => {
      const id = toSessionId(params.id);
      const session = await openSession(gateway, codeSessions, actor, id);
      if (codeSessions && isCode(session)) await codeSessions.remove(actor, id);
      else await gateway.deleteSession(actor, id);
      return reply.code(204).send(null);
    },
  );

  async function codeDetails(session: Session) {
    if (!codeSessions || !isCode(session)) return undefined;
    const { id, person, settings } = session;
    const models = codeSessions.models();
    return {
      view: toSessionView(await codeSessions.get(person, id)),
      todos: [...(await codeSessions.todos(person, id))],
      ...(models && { models: [...models] }),
      permissionMode: codeSessions.permissionMode(id) ?? settings.permissionMode ?? null,
    };
  }
}

function isCode(session: Session): session is ClaudeCodeSession {
  return session.engine === 'claude-code';
}

const noPermissionModes = new ParleyError(
  'invalid',
  '`permissionMode` can only be chosen for Claude Code sessions.',
);
