// `/api/account`: your own account, its password and its devices.
import { AccountInfo, DeviceInfo, ErrorBody, Me, ParleyError, type PersonName, say } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AccountActions } from '../../../domain/account-actions.ts';
import type { Passkey } from '../../../domain/accounts.ts';
import type { AuditLog } from '../../../domain/audit-log.ts';
import { longestPassword } from '../../../domain/password-hashes.ts';
import type { People } from '../../../domain/people.ts';
import type { App } from '../app.ts';
import { clientOf } from '../client-address.ts';
import type { Enter } from '../login/enter.ts';
import { type GuessLimits, tooManyGuesses } from '../login/guess-limits.ts';
import type { KnownBrowsers } from '../login/known-browsers.ts';
import type { Logins } from '../login/logins.ts';
import type { WhoIsAsking } from '../login/me.ts';
import { bodyOf, mustBeString } from '../openapi/fields.ts';
import { noContent, responses } from '../openapi/responses.ts';
import { isSecureContext } from '../request-facts.ts';

export interface OwnAccountServices {
  readonly accounts: AccountActions;
  readonly people: People;
  readonly logins: Logins;
  readonly browsers: KnownBrowsers;
  readonly guesses: GuessLimits;
  readonly audit: AuditLog;
  readonly enter: Enter;
  readonly whoIsAsking: WhoIsAsking;
  readonly ownAccount: OwnAccount;
}

/** Describes the account of the person who asks. */
export type OwnAccount = (request: FastifyRequest) => Promise<AccountInfo>;

const tags = ['account'];
export const NewPassword = z
  .string(mustBeString('password'))
  .max(longestPassword, 'The password is too long.');

export function ownAccountRoutes(app: App, services: OwnAccountServices): void {
  const { accounts, people, logins, audit, enter, ownAccount: infoOf } = services;

  app.get(
    '/api/account',
    { schema: { tags, summary: 'Your own account', response: responses(AccountInfo, ErrorBody) } },
    async (request) => infoOf(request),
  );

  app.post(
    '/api/account',
    {
      schema: {
        tags,
        summary: 'Make your own account: from now on, only your own password works for you',
        body: z.strictObject({ password: NewPassword }, { error: bodyOf('password') }),
        response: responses(Me, ErrorBody),
      },
    },
    async (request, reply) => {
      const { person } = request;
      needLogin(request);
      const credential = { kind: 'password', password: request.body.password } as const;
      const account = await accounts.protect(person, credential, actorOf(request));
      await enter(request, reply, { kind: 'password', person, credential: account.passwordHash ?? '' });
      return services.whoIsAsking(request);
    },
  );

  app.patch(
    '/api/account',
    {
      schema: {
        tags,
        summary: 'Change how your name is shown',
        body: z.strictObject({
          displayName: z
            .string()
            .trim()
            .min(1)
            .max(100)
            .nullable()
            .describe('Null goes back to the plain name.'),
        }),
        response: responses(AccountInfo, ErrorBody),
      },
    },
    async (request) => {
      await accounts.rename(request.person, request.body.displayName, actorOf(request));
      return infoOf(request);
    },
  );

  app.put(
    '/api/account/password',
    {
      schema: {
        tags,
        summary: 'Set or change your own password; ends all other logins that used the old one',
        body: z.strictObject(
          {
            current: z.string(mustBeString('current')).max(longestPassword).optional(),
            password: NewPassword,
          },
          { error: bodyOf('password') },
        ),
        response: responses(AccountInfo, ErrorBody),
      },
    },
    async (request, reply) => {
      const { person } = request;
      const login = needLogin(request);
      if (people.account(person)?.passwordHash !== undefined) await checkCurrent(request, reply);
      const { passwordHash = '' } = await accounts.changePassword(
        person,
        request.body.password,
        actorOf(request),
      );
      const [own] = (await logins.list(person)).filter(({ id }) => id === login);
      if (own?.kind === 'password') await logins.keepWith(login, passwordHash);
      await logins.endMatching(person, ({ id, kind }) => kind === 'password' && id !== login);
      return infoOf(request);
    },
  );

  app.get(
    '/api/account/devices',
    {
      schema: {
        tags,
        summary: 'The browsers that are logged in: yours, or those of the family',
        response: responses(z.object({ devices: z.array(DeviceInfo) }), ErrorBody),
      },
    },
    async ({ caller }) => ({
      devices: (await logins.list(caller?.person)).map(({ id, device, kind, createdAt, seenAt }) => ({
        id,
        name: device ?? null,
        kind,
        current: id === caller?.login,
        createdAt,
        seenAt,
      })),
    }),
  );

  app.delete(
    '/api/account/devices/:id',
    {
      schema: {
        tags,
        summary: 'Log a browser out',
        params: z.object({ id: z.string().max(64) }),
        response: noContent,
      },
    },
    async (request, reply) => {
      const logged = await logins.list(request.caller?.person);
      const device = logged.find(({ id }) => id === request.params.id);
      if (!device) throw new ParleyError('not_found', 'There is no such device.');
      await logins.end(device.id);
      audit.record({ action: 'device.ended', subject: device.device, ...actorOf(request) });
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/account/devices',
    {
      schema: {
        tags,
        summary: 'Log all other browsers out',
        response: noContent,
      },
    },
    async (request, reply) => {
      const others = (await logins.list(request.caller?.person)).filter(
        ({ id }) => id !== request.caller?.login,
      );
      await Promise.all(others.map(({ id }) => logins.end(id)));
      audit.record({ action: 'device.ended', detail: say`${others.length} others`, ...actorOf(request) });
      return reply.code(204).send(null);
    },
  );

  /** Otherwise somebody who finds an unlocked browser could take over the account. */
  async function checkCurrent(
    request: FastifyRequest<{ Body: { current?: string | undefined } }>,
    reply: FastifyReply,
  ): Promise<void> {
    const { person, ip } = request;
    const client = { address: clientOf(ip), browser: await services.browsers.find(request), account: person };
    const wait = await services.guesses.begin(client);
    if (wait !== undefined) throw tooManyGuesses(reply, wait);
    if (!(await accounts.checkPassword(person, request.body.current ?? ''))) {
      audit.record({ action: 'login.failed', subject: person, detail: say`password change`, address: ip });
      throw new ParleyError('invalid', 'That is not your current password.');
    }
    await services.guesses.succeeded(client);
  }
}

export function actorOf({ person, ip }: FastifyRequest): { person: PersonName; address: string } {
  return { person, address: ip };
}

/** Returns the id of the login. A key isn't enough: only people change what they log in with. */
export function needLogin({ caller }: FastifyRequest): string {
  if (caller?.login === undefined) throw needsLogin;
  return caller.login;
}

const needsLogin = new ParleyError('forbidden', 'Log in to change this. An API key is not enough.');

export function ownAccount({
  people,
  accounts,
  openId,
}: {
  readonly people: People;
  readonly accounts: AccountActions;
  /** The identity provider, if one is configured. */
  readonly openId: { readonly name: string } | undefined;
}): OwnAccount {
  return async (request) => {
    const { person } = request;
    const account = people.account(person);
    return {
      person,
      displayName: people.displayNameOf(person),
      role: people.roleOf(person),
      account: account !== undefined,
      password: account?.passwordHash !== undefined,
      passkeys: account ? (await accounts.passkeys(person)).map(toInfo) : [],
      openId: openId ? { name: openId.name, linked: account?.openId !== undefined } : null,
      passkeysWork: isSecureContext(request),
    };
  };
}

function toInfo({ id, name, host, createdAt, lastUsedAt }: Passkey): AccountInfo['passkeys'][number] {
  return { id, name, host, createdAt, lastUsedAt: lastUsedAt ?? null };
}
