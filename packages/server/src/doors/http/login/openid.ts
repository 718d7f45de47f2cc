// OpenID Connect: to the identity provider and back, to log in, accept an invitation, or link an account.

import { randomBytes } from 'node:crypto';
import { ErrorBody, ParleyError, PersonName, say } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { escapeHtml } from '../../../content/escape-html.ts';
import type { AccountActions } from '../../../domain/account-actions.ts';
import type { OpenIdSubject } from '../../../domain/accounts.ts';
import type { AuditLog } from '../../../domain/audit-log.ts';
import type { OpenId } from '../../../domain/openid.ts';
import type { People } from '../../../domain/people.ts';
import { acceptInvitation } from '../account/accept-invitation.ts';
import { actorOf, needLogin } from '../account/own-account.ts';
import type { App } from '../app.ts';
import { logFailure, toFailure } from '../errors.ts';
import { noContent, response, responses } from '../openapi/responses.ts';
import { isSecure, originOf } from '../request-facts.ts';
import { sendPage } from '../web-app/page.ts';
import { textsFor } from '../web-app/page-texts.ts';
import { cookie, readCookie } from './cookie.ts';
import type { Enter } from './enter.ts';
import type { Logins } from './logins.ts';
import { returnPath } from './return-path.ts';

export interface OpenIdServices {
  readonly openId: OpenId | undefined;
  readonly accounts: AccountActions;
  readonly people: People;
  readonly logins: Logins;
  readonly audit: AuditLog;
  readonly enter: Enter;
  readonly basePath: string;
}

/** Why somebody goes to the provider, other than to log in. Only people with credentials or an invitation have one. */
const Errand = z.union([
  z.strictObject({ link: PersonName, login: z.string() }),
  z.strictObject({ invitation: z.string() }),
]);
type Errand = z.infer<typeof Errand>;

const Trip = z.object({ next: z.string(), errand: Errand.optional() });
type Trip = z.infer<typeof Trip>;

const tags = ['login'];
const tripSeconds = 10 * 60;
const longestMs = 30_000;
const page = response('The page.', 'text/html', z.string());
const GoThere = z.object({ url: z.string().describe('Where to send the browser.') });

export function openIdRoutes(app: App, services: OpenIdServices): void {
  const { openId, accounts, people, logins, audit, enter, basePath } = services;
  if (!openId) return;
  const provider = openId;

  app.get(
    '/login/openid',
    {
      config: { access: 'open' },
      schema: {
        tags,
        summary: 'Log in at the identity provider: redirects the browser there; needs no credentials',
        security: [],
        querystring: z.object({ next: z.string().max(2_048).optional() }),
        response: {
          ...responses(z.unknown(), ErrorBody),
          302: z.null().describe('Redirect to the provider.'),
        },
      },
      errorHandler: explain,
    },
    async (request, reply) =>
      reply.redirect(await begin(request, reply, returnPath(request.query.next)), 302),
  );

  app.post(
    '/api/account/openid',
    {
      schema: {
        tags: ['account'],
        summary: 'Link your account with the identity provider; without an account, makes one',
        response: responses(GoThere, ErrorBody),
      },
    },
    async (request, reply) => {
      const login = needLogin(request);
      return { url: await begin(request, reply, '/settings/account', { link: request.person, login }) };
    },
  );

  app.delete(
    '/api/account/openid',
    {
      schema: {
        tags: ['account'],
        summary: 'Unlink your account from the identity provider, and log out where it was used',
        response: noContent,
      },
    },
    async (request, reply) => {
      needLogin(request);
      await accounts.unlinkOpenId(request.person, actorOf(request));
      await logins.endMatching(request.person, ({ kind }) => kind === 'openid');
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/invitations/openid',
    {
      config: { access: 'open' },
      schema: {
        tags: ['people'],
        summary: 'Accept an invitation with the identity provider; needs no credentials but its secret',
        security: [],
        body: z.strictObject({ secret: z.string().max(100) }),
        response: responses(GoThere, ErrorBody),
      },
    },
    async (request, reply) => {
      await accounts.findInvitation(request.body.secret);
      return { url: await begin(request, reply, '/', { invitation: request.body.secret }) };
    },
  );

  app.get(
    '/login/openid/callback',
    {
      config: { access: 'open' },
      schema: {
        tags,
        summary: 'Where the identity provider sends the browser back to; needs no credentials',
        security: [],
        response: { ...responses(z.unknown(), ErrorBody), 200: page },
      },
      errorHandler: explain,
    },
    async (request, reply) => {
      const secret = readCookie(request.headers.cookie, 'rv_openid', { secure: isSecure(request) });
      const cameBackTo = new URL(`${callbackOf(request)}${new URL(request.url, 'http://x').search}`);
      const state = cameBackTo.searchParams.get('state') ?? '';
      const trip = secret === undefined ? undefined : tripOf(state, secret);
      if (secret === undefined || trip === undefined) throw elsewhere;
      const { next, errand } = trip;
      const step = stepOf(request, secret, state);
      // The provider confirms each trip once, so no errand is done twice.
      const who = await openId.finish(step, cameBackTo);
      await arrive(request, reply, who, errand);
      // Not a redirect: that would count as coming from the other site, and the browser would not send our cookie.
      const texts = textsFor(request);
      const path = escapeHtml(basePath + next);
      return sendPage(reply, 200, {
        language: texts.language,
        title: texts.almostThere,
        body: `<meta http-equiv="refresh" content="0; url=${path}">\n<h1>${texts.almostThere}</h1>\n<p><a href="${path}">${texts.goOn}</a></p>`,
      });
    },
  );

  async function arrive(
    request: FastifyRequest,
    reply: FastifyReply,
    who: OpenIdSubject,
    errand: Errand | undefined,
  ): Promise<void> {
    const by = { address: request.ip };
    if (errand && 'invitation' in errand) {
      const credential = { kind: 'openid', openId: who } as const;
      const { person } = await acceptInvitation(services, request, errand.invitation, credential);
      return enter(request, reply, { kind: 'openid', person, credential: '' });
    }
    if (errand) return link(request, reply, who, errand);
    const person = people.list().find((candidate) => isSame(people.account(candidate)?.openId, who));
    if (person === undefined) {
      audit.record({ action: 'login.failed', detail: say`OpenID Connect: no account`, ...by });
      throw notLinked;
    }
    return enter(request, reply, { kind: 'openid', person, credential: '' });
  }

  async function link(
    request: FastifyRequest,
    reply: FastifyReply,
    who: OpenIdSubject,
    errand: { readonly link: PersonName; readonly login: string },
  ): Promise<void> {
    const { link: person, login } = errand;
    const by = { person, address: request.ip };
    // Meanwhile, the person may have gotten an account of their own, or lost it.
    if (!(await logins.mayActFor(login, person))) throw elsewhere;
    if (people.hasAccount(person)) return accounts.linkOpenId(person, who, by);
    await accounts.protect(person, { kind: 'openid', openId: who }, by);
    await enter(request, reply, { kind: 'openid', person, credential: '' });
    await logins.end(login);
  }

  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    next: string,
    errand?: Errand,
  ): Promise<string> {
    const secret = randomBytes(32).toString('base64url');
    const url = await provider.begin(stepOf(request, secret, stateOf({ next, errand }, secret)));
    const lifetime = { seconds: tripSeconds, secure: isSecure(request) };
    reply.header('set-cookie', cookie('rv_openid', secret, lifetime));
    return url;
  }

  function stepOf(request: FastifyRequest, secret: string, state: string) {
    return { secret, state, callback: callbackOf(request), signal: AbortSignal.timeout(longestMs) };
  }

  /** Uses the Host header, which the policy has checked, rather than a forwarded name, which it has not. */
  function callbackOf(request: FastifyRequest): string {
    return `${originOf(request)}${basePath}/login/openid/callback`;
  }

  /** Encrypted with our key and the secret that only this browser has, so that it can come back to any server. */
  function stateOf(trip: Trip, secret: string): string {
    return provider.wrap(JSON.stringify(trip), secret);
  }

  function tripOf(state: string, secret: string): Trip | undefined {
    const text = provider.unwrap(state, secret);
    if (text === undefined) return undefined;
    const { next, errand } = Trip.parse(JSON.parse(text));
    return { next: returnPath(next), errand };
  }

  function explain(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    const { status, message } = toFailure(error);
    if (status >= 500) logFailure(request, error);
    const { language, notLoggedIn, backToParley } = textsFor(request);
    const body = `<h1>${notLoggedIn}</h1>\n<p>${escapeHtml(message)}</p>\n<p><a href="${escapeHtml(basePath)}/">${backToParley}</a></p>`;
    return sendPage(reply, status, { language, title: notLoggedIn, body });
  }
}

function isSame(known: OpenIdSubject | undefined, who: OpenIdSubject): boolean {
  return known?.issuer === who.issuer && known.subject === who.subject;
}

const elsewhere = new ParleyError(
  'unauthenticated',
  'This login was not started in this browser, or took too long. Try again.',
);
const notLinked = new ParleyError(
  'unauthenticated',
  'No one here is linked to this account. Log in another way and link it, or ask for an invitation.',
);
