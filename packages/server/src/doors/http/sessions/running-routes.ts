// What people do with a running conversation: wake it, change its queue, stop it, decide its permissions.
import { ParleyError, PermissionId, type SessionId, TurnId } from '@parley/protocol';
import { type Actor, requireLevel } from '../../../domain/access.ts';
import { openSession } from '../../../domain/code-sessions.ts';
import { toSessionId } from '../../session-id.ts';
import type { App } from '../app.ts';
import { toShownQueue } from './history.ts';
import type { SessionServices } from './routes.ts';
import * as schemas from './schemas.ts';

export function runningSessionRoutes(
  app: App,
  { gateway, codeSessions, access }: Pick<SessionServices, 'gateway' | 'codeSessions' | 'access'>,
): void {
  app.post('/api/sessions/:id/wake', { schema: schemas.wake }, async ({ actor, params }, reply) => {
    const session = await openSession(gateway, codeSessions, actor, toSessionId(params.id));
    requireLevel(access, actor, session, 'participate');
    await gateway.wake(actor, session.id);
    return reply.code(204).send(null);
  });

  app.get('/api/sessions/:id/queue', { schema: schemas.queue }, ({ actor, params }) =>
    queueOf(actor, toSessionId(params.id)),
  );

  app.put('/api/sessions/:id/queue', { schema: schemas.reorder }, async ({ actor, params, body }) => {
    const id = toSessionId(params.id);
    await gateway.reorder(actor, id, body.order);
    return queueOf(actor, id);
  });

  app.delete(
    '/api/sessions/:id/queue/:turnId',
    { schema: schemas.withdraw },
    async ({ actor, params }, reply) => {
      const turnId = TurnId.safeParse(params.turnId);
      const isBack = await gateway.withdraw(actor, toSessionId(params.id), turnId.data ?? '');
      if (!isBack) throw new ParleyError('not_found', 'This prompt is no longer waiting.');
      return reply.code(204).send(null);
    },
  );

  app.post('/api/sessions/:id/interrupt', { schema: schemas.interrupt }, async ({ actor, params }) => ({
    interrupted: await gateway.interrupt(actor, toSessionId(params.id)),
  }));

  app.post(
    '/api/sessions/:id/permissions/:permissionId',
    { schema: schemas.decide },
    async ({ actor, params, body }) => {
      const { behavior, scope, message, updatedInput } = body;
      const decision =
        behavior === 'allow'
          ? { behavior, scope, ...(updatedInput !== undefined && { updatedInput }) }
          : { behavior, ...(message !== undefined && { message }) };
      const permissionId = PermissionId.safeParse(params.permissionId);
      const isSettled = await gateway.decide(
        actor,
        toSessionId(params.id),
        permissionId.data ?? '',
        decision,
      );
      if (!isSettled) throw new ParleyError('not_found', 'This permission is no longer open.');
      return { settled: true as const };
    },
  );

  async function queueOf(actor: Actor, id: SessionId) {
    return { prompts: toShownQueue((await gateway.state(actor, id)).queue) };
  }
}
