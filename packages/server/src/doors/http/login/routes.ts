// Logging in and out, for browsers with a form and for programs with JSON.
import { ErrorBody, Me, ParleyError, type PersonName, say } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { AccountActions } from '../../../domain/account-actions.ts';
import type { AuditLog } from '../../../domain/audit-log.ts';
import { longestPassword } from '../../../domain/password-hashes.ts';
import type { People } from '../../../domain/people.ts';
import type { App } from '../app.ts';
import { clientOf } from '../client-address.ts';
import { sendError, toFailure } from '../errors.ts';
import { noContent, response, responses } from '../openapi/responses.ts';
import { noSuchPerson } from '../policy/person.ts';
import { isSecure } from '../request-facts.ts';
import { sendPage } from '../web-app/page.ts';
import { textsFor } from '../web-app/page-texts.ts';
import { clearedCookie } from './cookie.ts';
import type { Enter } from './enter.ts';
import type { FamilyPassword } from './family-password.ts';
import { type GuessLimits, tooManyGuesses } from './guess-limits.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import { invitationPage, loginPage } from './login-page.ts';
import type { Logins, Proof } from './logins.ts';
import type { WhoIsAsking } from './me.ts';
import { pageScript } from './page-script.ts';
import { returnPath } from './return-path.ts';

export interface LoginServices {
  readonly logins: Logins;
  readonly password: FamilyPassword;
  readonly guesses: GuessLimits;
  readonly browsers: KnownBrowsers;
  readonly people: People;
  readonly accounts: AccountActions;
  readonly enter: Enter;
  readonly audit: AuditLog;
  readonly demo: boolean;
  readonly openId: { readonly name: string } | undefined;
  /** The path prefix that Parley is served under. */
  readonly basePath: string;
  readonly whoIsAsking: WhoIsAsking;
}

const tags = ['login'];
const bodyLimit = 16 * 1024;
const page = response('The page.', 'text/html', z.string());

const LoginBody = z.object({
  password: z
    .string('`password` must be a string.')
    .min(1, 'Enter the password.')
    .max(longestPassword, 'The password is too long.'),
  person: z
    .string('`person` must be a string.')
    .optional()
    .describe('The person of this login. For somebody with an account, `password` is their own.'),
  next: z
    .string()
    .max(2_048)
    .optional()
    .describe('Where a form redirects to afterwards: a path on this server.'),
});
type LoginBody = z.infer<typeof LoginBody>;

export function loginRoutes(app: App, services: LoginServices): void {
  const {
    logins,
    password: family,
    guesses,
    browsers,
    people,
    accounts,
    audit,
    enter,
    demo,
    basePath,
  } = services;

  app.get(
    '/login',
    {
      config: { access: 'open' },
      schema: {
        tags,
        summary: 'The login form; needs no credentials',
        security: [],
        response: { 200: page },
      },
    },
    (request, reply) =>
      void sendPage(reply, 200, loginPage({ ...look(request), next: returnPath(undefined) })),
  );

  app.get(
    '/invite',
    {
      config: { access: 'open' },
      schema: {
        tags,
        summary: 'The page of an invitation; needs no credentials',
        security: [],
        response: { 200: page },
      },
    },
    (request, reply) => void sendPage(reply, 200, invitationPage(look(request))),
  );

  app.get(
    '/login/script.js',
    {
      config: { access: 'open' },
      schema: {
        tags,
        summary: 'The script of the login and invitation pages; needs no credentials',
        security: [],
        response: { 200: response('The script.', 'text/javascript', z.string()) },
      },
    },
    (_request, reply) =>
      void reply
        .type('text/javascript; charset=utf-8')
        .header('cache-control', 'no-cache')
        .serializer(String)
        .send(pageScript),
  );

  // Its own scope: no other route accepts forms, because any foreign page could submit one.
  app.register((scope, _options, done) => {
    const forms = scope.withTypeProvider<ZodTypeProvider>();
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit },
      (_request, body, parsed) => parsed(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );

    forms.post(
      '/login',
      {
        config: { access: 'open' },
        bodyLimit,
        schema: {
          tags,
          summary: 'Log in with the family password, or with your own; needs no credentials',
          description: 'Takes a form or JSON. A form gets a page or a redirect, JSON gets JSON.',
          security: [],
          body: LoginBody,
          response: responses(Me, ErrorBody),
        },
        errorHandler: (error, request, reply) => refuse(error, request, reply),
      },
      async (request, reply) => {
        await enter(request, reply, await prove(request, reply));
        if (isForm(request)) return reply.redirect(basePath + returnPath(request.body.next), 303);
        return services.whoIsAsking(request);
      },
    );

    forms.post(
      '/logout',
      {
        config: { access: 'caller' },
        bodyLimit,
        schema: {
          tags,
          summary: 'Log out, and close everything this login has open',
          response: noContent,
        },
      },
      async (request, reply) => {
        reply.header('set-cookie', clearedCookie('rv_session', { secure: isSecure(request) }));
        const { login, person, chosen } = request.caller ?? {};
        if (login !== undefined) {
          await logins.end(login);
          audit.record({ action: 'logout', person: person ?? chosen, address: request.ip });
        }
        return isForm(request) ? reply.redirect(`${basePath}/`, 303) : reply.code(204).send(null);
      },
    );
    done();
  });

  /** For somebody with an account, only their own password counts; for everybody else, the family's. */
  async function prove(request: FastifyRequest<{ Body: LoginBody }>, reply: FastifyReply): Promise<Proof> {
    const { password, person: name = '' } = request.body;
    const account = people.hasAccount(name) ? name : undefined;
    const client = { address: clientOf(request.ip), browser: await browsers.find(request), account };
    const wait = await guesses.begin(client);
    if (wait !== undefined) throw tooManyGuesses(reply, wait);
    const proof = account === undefined ? await proveFamily(password) : await proveOwn(account, password);
    if (!proof) {
      const detail = account === undefined ? say`family password` : say`own password`;
      audit.record({ action: 'login.failed', subject: account, detail, address: request.ip });
      // The same for every name, so that strangers don't learn who has an account.
      throw name === '' || !people.hasAccounts() ? wrongPassword : wrongLogin;
    }
    await guesses.succeeded(client);
    // After the password, so that strangers don't learn who lives here.
    return proof.kind === 'family' ? { ...proof, person: knownPerson(name, people) } : proof;
  }

  async function proveFamily(password: string): Promise<Proof | undefined> {
    return (await family.matches(password)) ? { kind: 'family' } : undefined;
  }

  async function proveOwn(person: PersonName, password: string): Promise<Proof | undefined> {
    const account = await accounts.checkPassword(person, password);
    return account && { kind: 'password', person, credential: account.passwordHash ?? '' };
  }

  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    if (!isForm(request)) return sendError(request, reply, error);
    const { status, message } = toFailure(error);
    if (status >= 500) return sendError(request, reply, error);
    const { next, person } = (request.body ?? {}) as { next?: unknown; person?: unknown };
    const wanted = returnPath(typeof next === 'string' ? next : undefined);
    const name = typeof person === 'string' ? person : '';
    const page = look(request);
    const problem =
      page.texts.logInProblems[status]?.(Number(reply.getHeader('retry-after')), name !== '') ?? message;
    return sendPage(reply, status, loginPage({ ...page, next: wanted, problem, name }));
  }

  function look(request: FastifyRequest) {
    return {
      texts: textsFor(request),
      demo,
      basePath,
      hasAccounts: people.hasAccounts(),
      openId: services.openId,
    };
  }
}

/** Forms send an empty field where nothing is chosen. */
function knownPerson(name: string, people: People): PersonName | undefined {
  if (name === '') return undefined;
  if (!people.has(name) || people.hasAccount(name)) throw noSuchPerson;
  return name;
}

const wrongLogin = new ParleyError('unauthenticated', 'The name or the password is wrong.');
const wrongPassword = new ParleyError('unauthenticated', 'That is not the family password.');

function isForm(request: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '');
}
