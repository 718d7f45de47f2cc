// Passkeys: adding, renaming and removing your own, and logging in with one.
import { AccountInfo, ErrorBody, Me, ParleyError, say } from '@parley/protocol';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AccountActions } from '../../../domain/account-actions.ts';
import type { AuditLog } from '../../../domain/audit-log.ts';
import type { Passkeys, Site } from '../../../domain/passkeys.ts';
import type { People } from '../../../domain/people.ts';
import type { App } from '../app.ts';
import type { Enter } from '../login/enter.ts';
import type { Logins } from '../login/logins.ts';
import type { WhoIsAsking } from '../login/me.ts';
import { responses } from '../openapi/responses.ts';
import { hostOf, isSecureContext, originOf } from '../request-facts.ts';
import { actorOf, needLogin, type OwnAccount } from './own-account.ts';

export interface PasskeyServices {
  readonly passkeys: Passkeys;
  readonly accounts: AccountActions;
  readonly people: People;
  readonly logins: Logins;
  readonly audit: AuditLog;
  readonly enter: Enter;
  readonly whoIsAsking: WhoIsAsking;
  readonly ownAccount: OwnAccount;
}

const Options = z.looseObject({}).describe('For `navigator.credentials`, in its JSON form.');
const Response = z
  .looseObject({ id: z.string().max(2_000) })
  .describe('From `navigator.credentials`, as JSON.');
const Name = z.string().trim().min(1).max(100);
export const NewPasskey = z.strictObject({ name: Name, response: Response });
const OnePasskey = z.object({ id: z.string().max(2_000) });
const tags = ['account'];
const open = { access: 'open' } as const;

export function passkeyRoutes(app: App, services: PasskeyServices): void {
  const { passkeys, accounts, people, logins, enter } = services;

  app.post(
    '/api/account/passkeys/options',
    { schema: { tags, summary: 'Start adding a passkey', response: responses(Options, ErrorBody) } },
    async (request) => {
      needLogin(request);
      const { person } = request;
      const who = { person, displayName: people.displayNameOf(person) };
      return { ...(await passkeys.creationOptions(siteOf(request), who, await accounts.passkeys(person))) };
    },
  );

  app.post(
    '/api/account/passkeys',
    {
      schema: {
        tags,
        summary: 'Add a passkey; without an account, makes one',
        body: NewPasskey,
        response: responses(AccountInfo, ErrorBody),
      },
    },
    async (request, reply) => {
      needLogin(request);
      const { person } = request;
      const passkey = await passkeys.created(siteOf(request), person, request.body);
      if (people.hasAccount(person)) await accounts.addPasskey({ ...passkey, person }, actorOf(request));
      else {
        await accounts.protect(person, { kind: 'passkey', passkey }, actorOf(request));
        await enter(request, reply, { kind: 'passkey', person, credential: passkey.id });
      }
      return services.ownAccount(request);
    },
  );

  app.patch(
    '/api/account/passkeys/:id',
    {
      schema: {
        tags,
        summary: 'Rename a passkey',
        params: OnePasskey,
        body: z.strictObject({ name: Name }),
        response: responses(AccountInfo, ErrorBody),
      },
    },
    async (request) => {
      if (!(await accounts.renamePasskey(request.person, request.params.id, request.body.name)))
        throw noSuchPasskey;
      return services.ownAccount(request);
    },
  );

  app.delete(
    '/api/account/passkeys/:id',
    {
      schema: {
        tags,
        summary: 'Remove a passkey, and log out where it was used',
        params: OnePasskey,
        response: responses(AccountInfo, ErrorBody),
      },
    },
    async (request) => {
      needLogin(request);
      const { person } = request;
      const { id } = request.params;
      if (!(await accounts.removePasskey(person, id, actorOf(request)))) throw noSuchPasskey;
      await logins.endMatching(person, ({ kind, credential }) => kind === 'passkey' && credential === id);
      return services.ownAccount(request);
    },
  );

  app.post(
    '/login/passkey/options',
    {
      config: open,
      schema: {
        tags: ['login'],
        summary: 'Start logging in with a passkey; needs no credentials',
        security: [],
        response: responses(Options, ErrorBody),
      },
    },
    async (request) => ({ ...(await passkeys.requestOptions(siteOf(request))) }),
  );

  app.post(
    '/login/passkey',
    {
      config: open,
      schema: {
        tags: ['login'],
        summary: 'Log in with a passkey; needs no credentials',
        security: [],
        body: z.strictObject({ response: Response }),
        response: responses(Me, ErrorBody),
      },
    },
    async (request, reply) => {
      const failed = (error: unknown): never => {
        services.audit.record({ action: 'login.failed', detail: say`passkey`, address: request.ip });
        throw error;
      };
      const { id, person } = await passkeys.used(siteOf(request), request.body.response).catch(failed);
      if (!people.has(person)) return failed(noLongerHere);
      await enter(request, reply, { kind: 'passkey', person, credential: id });
      return services.whoIsAsking(request);
    },
  );
}

/** Throws `invalid` where browsers don't allow passkeys. */
export function siteOf(request: FastifyRequest): Site {
  if (!isSecureContext(request)) throw noPasskeysHere;
  return { origin: originOf(request), host: hostOf(request) };
}

const noSuchPasskey = new ParleyError('not_found', 'There is no such passkey.');
const noLongerHere = new ParleyError(
  'unauthenticated',
  'This account is disabled. Ask an owner of this server.',
);
const noPasskeysHere = new ParleyError(
  'invalid',
  'Browsers allow passkeys only over HTTPS, and on this machine at http://localhost.',
);
