// `/api/sessions/:id/shares`: who may read a session or take part in it, besides its owner.
import {
  ErrorBody,
  ParleyError,
  PersonName,
  type Sentence,
  type SessionId,
  Share,
  ShareLevel,
  say,
} from '@parley/protocol';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Access, type Actor, requireLevel } from '../../../domain/access.ts';
import type { AuditLog } from '../../../domain/audit-log.ts';
import { type CodeSessions, openSession } from '../../../domain/code-sessions.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import type { People } from '../../../domain/people.ts';
import type { Shares } from '../../../domain/shares.ts';
import { toSessionId } from '../../session-id.ts';
import type { App } from '../app.ts';
import { bodyOf, longestId, params } from '../openapi/fields.ts';
import { responses } from '../openapi/responses.ts';
import { noSuchPerson } from '../policy/person.ts';

export interface ShareServices {
  readonly gateway: Gateway;
  readonly codeSessions: CodeSessions | undefined;
  readonly access: Access;
  readonly shares: Shares;
  readonly people: People;
  readonly audit: AuditLog;
}

const tags = ['sessions'];
const ShareList = z.object({ shares: z.array(Share) });
const response = responses(ShareList, ErrorBody);

export function shareRoutes(app: App, services: ShareServices): void {
  const { shares, people, audit } = services;

  app.get(
    '/api/sessions/:id/shares',
    { schema: { tags, summary: 'Whom a session is shared with; for its owner', params, response } },
    async ({ actor, params }) => listOf(await ownSession(services, actor, params.id)),
  );

  app.put(
    '/api/sessions/:id/shares',
    {
      schema: {
        tags,
        summary: 'Share a session, or change what somebody may do with it',
        params,
        body: z.strictObject(
          { with: PersonName, level: ShareLevel, person: z.string().optional() },
          { error: bodyOf('with and level') },
        ),
        response,
      },
    },
    async (request) => {
      const { actor, person, body } = request;
      const id = await ownSession(services, actor, request.params.id);
      if (!people.has(body.with) || !people.visibleTo(person).includes(body.with)) throw noSuchPerson;
      if (body.with === person) throw new ParleyError('invalid', 'This session is already yours.');
      await shares.put(id, body.with, body.level);
      record('session.shared', request, id, sharedWith(body));
      return listOf(id);
    },
  );

  app.delete(
    '/api/sessions/:id/shares/:with',
    {
      schema: {
        tags,
        summary: 'Stop sharing a session with somebody; ends their streams at once',
        params: params.extend({ with: z.string().max(longestId) }),
        response,
      },
    },
    async (request) => {
      const id = await ownSession(services, request.actor, request.params.id);
      const isRemoved = await shares.remove(id, say`${request.params.with}`);
      if (!isRemoved) throw new ParleyError('not_found', 'This session is not shared with them.');
      record('session.unshared', request, id, say`${request.params.with}`);
      return listOf(id);
    },
  );

  function listOf(id: SessionId) {
    return {
      shares: shares
        .of(id)
        .map(({ person, level, createdAt }) => ({ with: person, level, since: createdAt })),
    };
  }

  function record(
    action: 'session.shared' | 'session.unshared',
    { person, ip }: FastifyRequest,
    id: SessionId,
    detail: Sentence,
  ): void {
    audit.record({ action, person, subject: id, detail, address: ip });
  }
}

/** Throws unless the session is the actor's own. */
export async function ownSession(
  { gateway, codeSessions, access }: Pick<ShareServices, 'gateway' | 'codeSessions' | 'access'>,
  actor: Actor,
  text: string,
): Promise<SessionId> {
  const session = await openSession(gateway, codeSessions, actor, toSessionId(text));
  return requireLevel(access, actor, session, 'own').id;
}

function sharedWith({ with: person, level }: Pick<Share, 'with' | 'level'>): Sentence {
  return level === 'read' ? say`${person} may read it` : say`${person} may take part in it`;
}
