// Looks up an invitation, and accepts it. The only credential is its secret, which comes in the body and is never part
// of a URL that reaches the server.
import { ErrorBody, Me, ParleyError, PersonName, Role } from '@parley/protocol';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AccountActions, Credential } from '../../../domain/account-actions.ts';
import type { Account } from '../../../domain/accounts.ts';
import type { Passkeys } from '../../../domain/passkeys.ts';
import type { People } from '../../../domain/people.ts';
import type { App } from '../app.ts';
import type { Enter } from '../login/enter.ts';
import type { Logins } from '../login/logins.ts';
import type { WhoIsAsking } from '../login/me.ts';
import { responses } from '../openapi/responses.ts';
import { isSecureContext } from '../request-facts.ts';
import { NewPassword } from './own-account.ts';
import { NewPasskey, siteOf } from './passkeys.ts';

export interface AcceptServices {
  readonly accounts: AccountActions;
  readonly people: People;
  readonly logins: Logins;
  readonly enter: Enter;
  readonly whoIsAsking: WhoIsAsking;
  readonly passkeys: Passkeys;
  readonly openId: { readonly name: string } | undefined;
}

const tags = ['people'];
const open = { config: { access: 'open' } } as const;
const Secret = z.string().max(100);
const FoundInvitation = z.object({
  person: PersonName,
  role: Role,
  invitedBy: z.string().nullable(),
  /** Whether the person has an account. The invitation then gives them new credentials. */
  account: z.boolean(),
  passkeysWork: z.boolean(),
  /** The name of the identity provider, if one is configured. */
  openId: z.string().nullable(),
});

const Chosen = z.strictObject({
  secret: Secret,
  password: NewPassword.optional(),
  passkey: NewPasskey.optional(),
});

export function acceptInvitationRoutes(app: App, services: AcceptServices): void {
  const { accounts, people, enter } = services;

  app.post(
    '/api/invitations/find',
    {
      ...open,
      schema: {
        tags,
        summary: 'What an invitation is for; needs no credentials but its secret',
        security: [],
        body: z.strictObject({ secret: Secret }),
        response: responses(FoundInvitation, ErrorBody),
      },
    },
    async (request) => {
      const { person, role, createdBy } = await accounts.findInvitation(request.body.secret);
      return {
        person,
        role,
        invitedBy: createdBy === undefined ? null : people.displayNameOf(createdBy),
        account: people.hasAccount(person),
        passkeysWork: isSecureContext(request),
        openId: services.openId?.name ?? null,
      };
    },
  );

  app.post(
    '/api/invitations/accept',
    {
      ...open,
      schema: {
        tags,
        summary:
          'Accept an invitation with a password or a passkey, and log in; needs no credentials but its secret',
        security: [],
        body: Chosen,
        response: responses(Me, ErrorBody),
      },
    },
    async (request, reply) => {
      const { secret } = request.body;
      const { person } = await accounts.findInvitation(secret);
      const credential = await credentialOf(request, person);
      const { passwordHash = '' } = await acceptInvitation(services, request, secret, credential);
      const { kind } = credential;
      await enter(request, reply, {
        kind,
        person,
        credential: kind === 'passkey' ? credential.passkey.id : passwordHash,
      });
      return services.whoIsAsking(request);
    },
  );

  app.post(
    '/api/invitations/passkey',
    {
      ...open,
      schema: {
        tags,
        summary: 'Start making a passkey for an invitation; needs no credentials but its secret',
        security: [],
        body: z.strictObject({ secret: Secret }),
        response: responses(z.looseObject({}), ErrorBody),
      },
    },
    async (request) => {
      const { person } = await accounts.findInvitation(request.body.secret);
      const who = { person, displayName: people.displayNameOf(person) };
      return { ...(await services.passkeys.creationOptions(siteOf(request), who, [])) };
    },
  );

  async function credentialOf(
    request: FastifyRequest<{ Body: z.infer<typeof Chosen> }>,
    person: PersonName,
  ): Promise<Exclude<Credential, { kind: 'openid' }>> {
    const { password, passkey } = request.body;
    if (passkey)
      return { kind: 'passkey', passkey: await services.passkeys.created(siteOf(request), person, passkey) };
    if (password !== undefined) return { kind: 'password', password };
    throw new ParleyError('invalid', 'Choose a password or a passkey.');
  }
}

/** Also ends all earlier logins of the person. They are listed first, because the store removes them. */
export async function acceptInvitation(
  { accounts, logins }: Pick<AcceptServices, 'accounts' | 'logins'>,
  { ip: address }: FastifyRequest,
  secret: string,
  credential: Credential,
): Promise<Account> {
  const { person } = await accounts.findInvitation(secret);
  const earlier = await logins.list(person);
  const account = await accounts.accept(secret, credential, { address });
  await Promise.all(earlier.map(({ id }) => logins.end(id)));
  return account;
}
