// Logging in and out, for browsers with a form and for programs with JSON.
import { ErrorBody, Me, ParleyError, type PersonName } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { inTime } from '../../../content/waiting-time.ts';
import type { App } from '../app.ts';
import { sendError, toFailure } from '../errors.ts';
import { answer, answers } from '../openapi/answers.ts';
import { sendPage } from '../web-app/page.ts';
import { textsFor } from '../web-app/page-texts.ts';
import { clearedCookie, loginCookie } from './cookie.ts';
import { type FamilyPassword, longestPassword } from './family-password.ts';
import { clientOf, type GuessLimits } from './guess-limits.ts';
import { loginPage } from './login-page.ts';
import type { Logins } from './logins.ts';
import type { WhoIsAsking } from './me.ts';
import { isSecure } from './recognise.ts';
import { returnPath } from './return-path.ts';

export interface LoginServices {
  readonly logins: Logins;
  readonly password: FamilyPassword;
  readonly guesses: GuessLimits;
  readonly people: readonly PersonName[];
  readonly demo: boolean;
  /** The path prefix that Parley is served under. */
  readonly basePath: string;
  readonly whoIsAsking: WhoIsAsking;
}

const tags = ['login'];
const bodyLimit = 16 * 1024;
const page = answer('The page.', 'text/html', z.string());

const LoginBody = z.object({
  password: z
    .string('`password` must be a string.')
    .min(1, 'Enter the password.')
    .max(longestPassword, 'The password is too long.'),
  person: z.string('`person` must be a string.').optional().describe('The person of this login.'),
  next: z
    .string()
    .max(2_048)
    .optional()
    .describe('Where a form redirects to afterwards: a path on this server.'),
});

export function loginRoutes(app: App, services: LoginServices): void {
  const { logins, password, guesses, demo, basePath } = services;

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
      void sendPage(
        reply,
        200,
        loginPage({ texts: textsFor(request), demo, basePath, next: returnPath(undefined) }),
      ),
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
          summary: 'Log in with the family password; needs no credentials',
          description: 'Takes a form or JSON. A form gets a page or a redirect, JSON gets JSON.',
          security: [],
          body: LoginBody,
          response: answers(Me, ErrorBody),
        },
        errorHandler: (error, request, reply) => refuse(error, request, reply),
      },
      async (request, reply) => {
        const client = clientOf(request.ip);
        const wait = guesses.begin(client);
        if (wait !== undefined) throw tooManyGuesses(reply, wait);
        if (!(await password.matches(request.body.password))) throw wrongPassword;
        guesses.succeeded(client);
        // After the password, so that strangers don't learn who lives here.
        const person = knownPerson(request.body.person, services.people);
        const { secret, caller } = await logins.start();
        request.caller = person === undefined ? caller : { ...caller, chosen: person };
        if (person !== undefined) await logins.choosePerson(caller.login, person);
        reply.header(
          'set-cookie',
          loginCookie(secret, { seconds: logins.seconds, secure: isSecure(request) }),
        );
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
          response: { ...answers(z.unknown(), ErrorBody), 204: z.null().describe('Done.') },
        },
      },
      async (request, reply) => {
        reply.header('set-cookie', clearedCookie({ secure: isSecure(request) }));
        if (request.caller?.login !== undefined) await logins.end(request.caller.login);
        return isForm(request) ? reply.redirect(`${basePath}/`, 303) : reply.code(204).send(null);
      },
    );
    done();
  });

  function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    if (!isForm(request)) return sendError(request, reply, error);
    const { status, message } = toFailure(error);
    if (status >= 500) return sendError(request, reply, error);
    const { next } = (request.body ?? {}) as { next?: unknown };
    const wanted = returnPath(typeof next === 'string' ? next : undefined);
    const texts = textsFor(request);
    const problem = texts.logInProblems[status]?.(Number(reply.getHeader('retry-after'))) ?? message;
    return sendPage(reply, status, loginPage({ texts, demo, basePath, next: wanted, problem }));
  }
}

/** Forms send an empty field where nothing is chosen. */
function knownPerson(name: string | undefined, people: readonly PersonName[]): PersonName | undefined {
  if (name === undefined || name === '') return undefined;
  const person = people.find((candidate) => candidate === name);
  if (person === undefined) throw new ParleyError('invalid', 'There is no such person here.');
  return person;
}

const wrongPassword = new ParleyError('unauthenticated', 'That is not the family password.');

function tooManyGuesses(reply: FastifyReply, seconds: number): ParleyError {
  reply.header('retry-after', seconds);
  return new ParleyError('rate_limited', `Too many wrong passwords. Try again ${inTime(seconds)}.`);
}

function isForm(request: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '');
}
