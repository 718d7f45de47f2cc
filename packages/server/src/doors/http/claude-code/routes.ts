// Claude Code sessions: the list, one session, its messages, and the sockets to watch it and to work in it.
import { type CodeMessagePage, ParleyError, type WorkFolderList } from '@parley/protocol';
import { toSessionView } from '../../../domain/code-session-view.ts';
import type { CodeMessages, CodeSession } from '../../../domain/code-sessions.ts';
import type { FolderListing } from '../../../domain/work-folders.ts';
import type { App } from '../app.ts';
import type { ClaudeCodeParts } from '../options.ts';
import { toSessionId } from '../sessions/send-message.ts';
import type { ClientStreamOptions } from '../streams/client-stream.ts';
import { noHead, type OpenRequests } from '../streams/open-requests.ts';
import type { Upgrades } from '../upgrades.ts';
import { notificationRoutes } from './notifications.ts';
import * as schemas from './schemas.ts';

export interface ClaudeCodeServices extends ClaudeCodeParts {
  readonly requests: OpenRequests;
  readonly stream: ClientStreamOptions;
  readonly upgrades: Pick<Upgrades, 'route'>;
}

export function claudeCodeRoutes(app: App, services: ClaudeCodeServices): void {
  const { sessions, requests, upgrades, pages, terminals } = services;
  notificationRoutes(app, services);

  app.get('/api/work-folders', { schema: schemas.workFolders }, async ({ person, query }) =>
    toFolderList(await services.workFolders.listDirectories(person, query.path)),
  );

  app.get('/api/claude/sessions', { schema: schemas.list }, async ({ person, query }, reply) => {
    const { limit, cursor, q, full_text: fullText, project, archived } = query;
    const signal = requests.open('json', reply);
    const page = await sessions.list(person, {
      limit,
      fullText,
      archived,
      signal,
      ...(cursor !== undefined && { cursor }),
      ...(q !== undefined && { q }),
      ...(project !== undefined && { workingDir: project }),
    });
    return { sessions: page.sessions.map(toSessionView), next_cursor: page.next ?? null };
  });

  app.post('/api/claude/sessions', { schema: schemas.create }, async ({ person, body }, reply) => {
    const { workingDir, mode, title, resumeId, config } = body;
    const session = await sessions.create(person, {
      workingDir,
      mode,
      ...(title !== undefined && { title }),
      ...(resumeId !== undefined && { resumeId }),
      ...(config !== undefined && { config }),
    });
    return reply.code(201).send(toSessionView(session));
  });

  app.get('/api/claude/sessions/:id', { schema: schemas.get }, async ({ person, params }) =>
    toSessionView(await sessions.get(person, toSessionId(params.id))),
  );

  app.patch('/api/claude/sessions/:id', { schema: schemas.patch }, async ({ person, params, body }) => {
    const id = toSessionId(params.id);
    const { title, archived } = body;
    let changed: CodeSession | undefined;
    if (title !== undefined) changed = await sessions.rename(person, id, title);
    if (archived !== undefined) changed = await sessions.archive(person, id, archived);
    if (!changed) throw new ParleyError('invalid', 'Nothing to change: send `title` or `archived`.');
    return toSessionView(changed);
  });

  app.delete('/api/claude/sessions/:id', { schema: schemas.remove }, async ({ person, params }, reply) => {
    await sessions.remove(person, toSessionId(params.id));
    return reply.code(204).send(null);
  });

  app.post('/api/claude/sessions/:id/fork', { schema: schemas.fork }, async ({ person, params }, reply) => {
    const session = await sessions.fork(person, toSessionId(params.id));
    return reply.code(201).send(toSessionView(session));
  });

  app.get(
    '/api/claude/sessions/:id/messages',
    { schema: schemas.messages },
    async ({ person, params, query: { before, limit, subagent } }, reply) => {
      const page = await sessions.messages(person, toSessionId(params.id), {
        limit,
        ...(before !== undefined && { before }),
        ...(subagent !== undefined && { subagentOf: subagent }),
      });
      return reply.type('application/json; charset=utf-8').serializer(String).send(verbatim(page));
    },
  );

  app.get(
    '/api/claude/sessions/:id/ws',
    { schema: schemas.page, ...noHead },
    upgrades.route(requests, pages),
  );
  app.get(
    '/api/claude/sessions/:id/terminal',
    { schema: schemas.terminal, ...noHead },
    upgrades.route(requests, terminals),
  );
}

/** The lines go into the body as they are: parsing and writing them again would change their bytes. */
function verbatim({ lines, before }: CodeMessages): CodeMessagePage {
  const body = `{"messages":[${lines.join(',')}],"before":${JSON.stringify(before ?? null)}}`;
  // Text already, but the route is typed by what it is the text of.
  return body as unknown as CodeMessagePage;
}

function toFolderList({ path, parent, folders, isCut }: FolderListing): WorkFolderList {
  return {
    path: path ?? null,
    parent: parent ?? null,
    folders: folders.map(({ name, path: place, git }) => ({
      name,
      path: place,
      git: git ? { branch: git.branch ?? null, dirty: git.isDirty ?? null } : null,
    })),
    truncated: isCut,
  };
}
