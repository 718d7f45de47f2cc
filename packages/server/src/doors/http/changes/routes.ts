// What a session changed in its working directory. Whoever may see the session may look; only participants may act.
import type { Changes } from '../../../domain/changes.ts';
import { toSessionId } from '../../session-id.ts';
import type { App } from '../app.ts';
import type { OpenRequests } from '../streams/open-requests.ts';
import * as schemas from './schemas.ts';

export interface ChangeServices {
  readonly changes: Changes;
  readonly requests: OpenRequests;
}

const base = '/api/claude/sessions/:id/changes';

export function changeRoutes(app: App, { changes, requests }: ChangeServices): void {
  app.get(base, { schema: schemas.list }, async ({ actor, params, query }, reply) =>
    changes.list(actor, toSessionId(params.id), query.since, requests.open('json', reply)),
  );

  app.get(`${base}/file`, { schema: schemas.file }, async ({ actor, params, query }, reply) =>
    changes.diff(actor, toSessionId(params.id), query, requests.open('json', reply)),
  );

  app.put(`${base}/staged`, { schema: schemas.stage }, async ({ actor, params, body }, reply) => {
    const id = toSessionId(params.id);
    const signal = requests.open('json', reply);
    await changes.stage(actor, id, body.paths, body.staged);
    return changes.list(actor, id, 'head', signal);
  });

  app.post(`${base}/commits`, { schema: schemas.commit }, async ({ actor, params, body }) =>
    changes.commit(actor, toSessionId(params.id), body.message),
  );

  app.post(`${base}/discard`, { schema: schemas.discard }, async ({ actor, params, body }, reply) => {
    const id = toSessionId(params.id);
    const signal = requests.open('json', reply);
    await changes.discard(actor, id, body.paths);
    return changes.list(actor, id, 'head', signal);
  });

  app.get(`${base}/branches`, { schema: schemas.branches }, async ({ actor, params }, reply) =>
    changes.branches(actor, toSessionId(params.id), requests.open('json', reply)),
  );

  app.put(`${base}/branch`, { schema: schemas.switchBranch }, async ({ actor, params, body }, reply) => {
    const id = toSessionId(params.id);
    const signal = requests.open('json', reply);
    await changes.switchBranch(actor, id, body.name, body.create);
    return changes.branches(actor, id, signal);
  });

  app.post(`${base}/remote/:how`, { schema: schemas.remote }, async ({ actor, params }, reply) => {
    const id = toSessionId(params.id);
    const signal = requests.open('json', reply);
    await changes[params.how](actor, id);
    return changes.branches(actor, id, signal);
  });

  app.post(`${base}/worktrees`, { schema: schemas.startWorktree }, async ({ actor, params, body }) => ({
    path: await changes.startWorktree(actor, toSessionId(params.id), body.name),
  }));

  app.post(`${base}/worktree`, { schema: schemas.finishWorktree }, async ({ actor, params, body }, reply) => {
    await changes.finishWorktree(actor, toSessionId(params.id), body.how);
    return reply.code(204).send(null);
  });
}
