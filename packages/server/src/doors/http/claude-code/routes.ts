// Claude Code sessions: the list, one session, its messages, and the sockets to watch it and to work in it.
import {
  type CodeMessagePage,
  type FolderTrustView,
  ParleyError,
  type WorkFolderList,
} from '@parley/protocol';
import type { AuditLog } from '../../../domain/audit-log.ts';
import { toSessionView } from '../../../domain/code-session-view.ts';
import type { CodeMessages, CodeSession } from '../../../domain/code-sessions.ts';
import type { FolderLook } from '../../../domain/folder-trust.ts';
import type { Machines } from '../../../domain/machines.ts';
import { type Organizer, toListOptions } from '../../../domain/session-marks.ts';
import type { FolderListing } from '../../../domain/work-folders.ts';
import { toSessionId } from '../../session-id.ts';
import type { App } from '../app.ts';
import type { ClaudeCodeParts } from '../door-options.ts';
import { noHead, type OpenRequests } from '../streams/open-requests.ts';
import type { Upgrades } from '../upgrades.ts';
import * as schemas from './schemas.ts';

export interface ClaudeCodeServices extends ClaudeCodeParts {
  readonly requests: OpenRequests;
  readonly upgrades: Pick<Upgrades, 'route'>;
  readonly audit: AuditLog;
  readonly machines: Pick<Machines, 'rootsOfAll'> | undefined;
  readonly organizer?: Organizer | undefined;
}

/** In bytes, with several full-size images. */
const longestPrompt = 32 * 1024 * 1024;
/** What a person pastes into a terminal at once, in bytes. */
const longestInput = 1024 * 1024;

const inFolder = { needs: 'folder' } as const;
const trusting = { right: 'trust-folders', ...inFolder } as const;

/** All of them need the right to Claude Code, unless they name another one. */
export function claudeCodeRoutes(app: App, services: ClaudeCodeServices): void {
  const { sessions, requests, upgrades, pages, terminals } = services;

  app.get(
    '/api/work-folders',
    { config: inFolder, schema: schemas.workFolders },
    async ({ actor, person, query }) => {
      const list = toFolderList(await services.workFolders.listDirectories(person, query.path));
      if (!services.machines || query.path !== undefined) return list;
      return { ...list, folders: await services.machines.rootsOfAll(actor, list.folders) };
    },
  );

  app.get(
    '/api/work-folders/trust',
    { config: inFolder, schema: schemas.folderTrust },
    async ({ person, query }) => toTrustView(await services.folderTrust.look(person, query.path)),
  );

  app.get(
    '/api/work-folders/trusted',
    { config: trusting, schema: schemas.trustedFolders },
    async ({ person }) => ({
      folders: (await services.folderTrust.list(person)).map(({ path, by, at }) => ({
        path,
        trustedBy: by,
        trustedAt: new Date(at).toISOString(),
      })),
    }),
  );

  app.put(
    '/api/work-folders/trust',
    { config: trusting, schema: schemas.trustFolder },
    async ({ person, body, ip }) => {
      const look = await services.folderTrust.trust(person, body.path, body.digest);
      services.audit.record({ action: 'folder.trusted', person, subject: look.path, address: ip });
      return toTrustView(look);
    },
  );

  app.delete(
    '/api/work-folders/trust',
    { config: trusting, schema: schemas.distrustFolder },
    async ({ person, query, ip }) => {
      const look = await services.folderTrust.distrust(person, query.path);
      services.audit.record({ action: 'folder.distrusted', person, subject: look.path, address: ip });
      return toTrustView(look);
    },
  );

  app.get('/api/claude/sessions', { schema: schemas.list }, async ({ actor, query }, reply) => {
    const { limit, cursor, q, full_text: fullText, project, archived, pinned, tag } = query;
    const isMarked = pinned || tag !== undefined;
    const marks = isMarked && services.organizer ? await services.organizer.marks(actor) : undefined;
    const signal = requests.open('json', reply);
    const page = await sessions.list(actor, {
      limit,
      fullText,
      ...(isMarked
        ? { only: (marks && toListOptions(marks, { pinned, tag }).only) ?? [], marked: { pinned, tag } }
        : { archived }),
      signal,
      ...(cursor !== undefined && { cursor }),
      ...(q !== undefined && { q }),
      ...(project !== undefined && { workingDir: project }),
    });
    return {
      sessions: page.sessions.map(toSessionView),
      next_cursor: page.next ?? null,
      ...(page.unreadable && { unreadable: [...page.unreadable] }),
      ...(page.isIndexing && { indexing: true }),
    };
  });

  app.post(
    '/api/claude/sessions',
    { config: inFolder, schema: schemas.create },
    async ({ actor, body }, reply) => {
      const { workingDir, mode, title, resumeId, config } = body;
      const session = await sessions.create(actor, {
        workingDir,
        mode,
        ...(title !== undefined && { title }),
        ...(resumeId !== undefined && { resumeId }),
        ...(config !== undefined && { config }),
      });
      return reply.code(201).send(toSessionView(session));
    },
  );

  app.post(
    '/api/claude/sessions/prepare',
    { config: inFolder, schema: schemas.prepare },
    async ({ actor, body: { workingDir, config } }, reply) => {
      await sessions.prepare(actor, { workingDir, ...(config !== undefined && { config }) });
      return reply.code(204).send(null);
    },
  );

  app.get('/api/claude/sessions/:id', { schema: schemas.get }, async ({ actor, params }) =>
    toSessionView(await sessions.get(actor, toSessionId(params.id))),
  );

  app.patch('/api/claude/sessions/:id', { schema: schemas.patch }, async ({ actor, params, body }) => {
    const id = toSessionId(params.id);
    const { title, archived } = body;
    let changed: CodeSession | undefined;
    if (title !== undefined) changed = await sessions.rename(actor, id, title);
    if (archived !== undefined) changed = await sessions.archive(actor, id, archived);
    if (!changed) throw new ParleyError('invalid', 'Nothing to change: send `title` or `archived`.');
    return toSessionView(changed);
  });

  app.delete('/api/claude/sessions/:id', { schema: schemas.remove }, async ({ actor, params }, reply) => {
    await sessions.remove(actor, toSessionId(params.id));
    return reply.code(204).send(null);
  });

  app.post('/api/claude/sessions/:id/fork', { schema: schemas.fork }, async ({ actor, params }, reply) => {
    const session = await sessions.fork(actor, toSessionId(params.id));
    return reply.code(201).send(toSessionView(session));
  });

  app.post(
    '/api/claude/sessions/:id/rewind',
    { schema: schemas.rewind },
    async ({ actor, params, body: { before, dryRun } }) =>
      sessions.rewind(actor, toSessionId(params.id), before, dryRun),
  );

  app.get(
    '/api/claude/sessions/:id/messages',
    { schema: schemas.messages },
    async ({ actor, params, query: { before, limit, subagent } }, reply) => {
      const page = await sessions.messages(actor, toSessionId(params.id), {
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
    upgrades.route(requests, pages, longestPrompt),
  );
  app.get(
    '/api/claude/sessions/:id/terminal',
    { config: { right: 'terminal', changes: true }, schema: schemas.terminal, ...noHead },
    upgrades.route(requests, terminals, longestInput),
  );
  app.delete(
    '/api/claude/sessions/:id/terminal',
    { config: { right: 'terminal' }, schema: schemas.endTerminal },
    async ({ person, params }, reply) => {
      await services.endTerminal(person, toSessionId(params.id));
      return reply.code(204).send(null);
    },
  );
}

/** The lines go into the body as they are: parsing and writing them again would change their bytes. */
function verbatim({ lines, before }: CodeMessages): CodeMessagePage {
  const body = `{"messages":[${lines.join(',')}],"before":${JSON.stringify(before ?? null)}}`;
  // It is already text, but the route is typed as what the text contains.
  return body as unknown as CodeMessagePage;
}

function toTrustView({ isTrusted, runs, instructions, trusted, ...look }: FolderLook): FolderTrustView {
  return {
    ...look,
    trusted: isTrusted,
    runs: [...runs],
    instructions: [...instructions],
    ...(trusted && { trustedBy: trusted.by, trustedAt: new Date(trusted.at).toISOString() }),
  };
}

function toFolderList({ path, parent, sandbox: own, folders, isCut }: FolderListing): WorkFolderList {
  return {
    path: path ?? null,
    parent: parent ?? null,
    sandbox: own ?? null,
    folders: folders.map(({ name, path: place, git, sandbox }) => ({
      name,
      path: place,
      git: git ? { branch: git.branch ?? null, dirty: git.isDirty ?? null } : null,
      sandbox,
    })),
    truncated: isCut,
  };
}
