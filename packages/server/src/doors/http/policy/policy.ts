// Runs before every handler: host, origin, rate, credentials, person. Routes are closed unless they say otherwise,
// so a new one can't be left open by accident.
import { type ErrorBody, ParleyError, type PersonName, type Right } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { waitText } from '../../../content/waiting-time.ts';
import { type Actor, readOnlyKey } from '../../../domain/access.ts';
import { movedAway } from '../../../domain/ownership.ts';
import type { App } from '../app.ts';
import type { HttpDoorOptions } from '../door-options.ts';
import { type Failure, sendFailure } from '../errors.ts';
import { loginPage } from '../login/login-page.ts';
import type { LoginCheck } from '../login/recognize.ts';
import { returnPath } from '../login/return-path.ts';
import { isPageRequest } from '../request-facts.ts';
import { type Page, sendPage } from '../web-app/page.ts';
import { type PageTexts, textsFor } from '../web-app/page-texts.ts';
import { type Caller, presentedCredentials } from './credentials.ts';
import { foreignHost, foreignOrigin, hostCheck, isForeignOrigin } from './origin.ts';
import { choosePerson } from './person.ts';
import { rateChecks } from './rate-limits.ts';
import { actorFor, checkReach, mayUseMethod } from './reach.ts';

/** `person` (the default) requires credentials and a person, `caller` only credentials, `open` nothing. */
type RouteAccess = 'person' | 'caller' | 'open';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    /** Set on routes with access `person`, before the handler runs. */
    person: PersonName;
    /** The person, with the limits of the credentials. Set together with `person`; calls to the gateway need it. */
    actor: Actor;
  }
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** What the person must be allowed to do. Not for routes that are open or need only a caller. */
    right?: Right;
    /** True for a GET route that changes something. */
    changes?: boolean;
    /** True for a file of the app or the documentation, the same for everybody. */
    isFile?: boolean;
    /** True if it can give somebody access. Closed to API keys made at run time: that access would outlast them. */
    grants?: boolean;
  }
}

export interface PolicyOptions
  extends Pick<
    HttpDoorOptions,
    'host' | 'allowedHosts' | 'credentials' | 'servers' | 'people' | 'access' | 'openId' | 'limits' | 'demo'
  > {
  /** The caller behind the request's login cookie, if it has one. */
  readonly loginOf: LoginCheck;
  /** Whether somebody has logged in with this browser before. */
  readonly isKnownBrowser: (request: FastifyRequest) => Promise<boolean>;
  readonly isClosing: () => boolean;
  readonly basePath: string;
}

export async function applyPolicy(app: App, options: PolicyOptions): Promise<void> {
  const isOurHost = hostCheck(options.host, options.allowedHosts);
  const rates = rateChecks(options.limits.requestsPerMinute);

  app.decorateRequest('caller', undefined);
  app.decorateRequest('person', '');
  app.decorateRequest('actor', '');

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    const refusal = await refuse(request, reply);
    // Refusals look the same for all routes, known and unknown, so a stranger learns nothing.
    if (!refusal) return undefined;
    if (isPageRequest(request)) {
      const texts = textsFor(request);
      if (refusal === notLoggedIn) {
        const hasAccounts = options.people.hasAccounts();
        return sendPage(
          reply,
          401,
          loginPage({ ...options, hasAccounts, texts, next: returnPath(request.url) }),
        );
      }
      if (refusal.code === 'rate_limited')
        return sendPage(reply, 429, busyPage(texts, Number(reply.getHeader('retry-after'))));
    }
    sendFailure(request, reply, refusal, toRefusal);
    return reply;
  });

  app.addHook('preHandler', async (request) => {
    const { caller, routeOptions } = request;
    if (!caller) return;
    const { right, grants } = routeOptions.config;
    if (accessOf(request) !== 'person') {
      if (caller.person !== undefined)
        checkReach(options.access, actorFor(caller.person, caller), routeOptions.url ?? '');
      return;
    }
    const named = { header: request.headers['x-notes-person'], body: request.body, query: request.query };
    request.person = choosePerson(named, caller, options.people);
    if (grants && caller.key !== undefined) throw keysDontGrant;
    if (right !== undefined && !options.people.may(request.person, right)) throw notAllowed;
    request.actor = actorFor(request.person, caller);
    checkReach(options.access, request.actor, routeOptions.url ?? '');
  });

  async function refuse(request: FastifyRequest, reply: FastifyReply): Promise<ParleyError | undefined> {
    const { host, origin, upgrade } = request.headers;
    const isServer = options.servers?.presents(request) ?? false;
    if (isServer) return refuseServer(request);
    if (!isOurHost(host)) return foreignHost;
    // Browsers don't apply cross-site rules to upgraded connections, so we check the request itself.
    const method = upgrade === undefined ? request.method : 'UPGRADE';
    if (isForeignOrigin(method, origin, host)) return foreignOrigin;
    if (options.isClosing())
      return new ParleyError('unavailable', 'The server is stopping. Try again in a moment.');

    const isOpen = accessOf(request) === 'open';
    // In this order, so that one noisy address can't use up everybody's share.
    let wait = (request.routeOptions.config.isFile ? rates.files : rates.perAddress)(request);
    if (wait === undefined) {
      if (!isOpen) request.caller = await callerOf(request, reply);
      wait = await overallWait(request);
    }
    if (wait !== undefined) {
      reply.header('retry-after', wait);
      return new ParleyError('rate_limited', `Too many requests. Try again ${waitText(wait)}.`);
    }
    const { caller, routeOptions } = request;
    // Checked before the body is read.
    if (caller && !mayUseMethod(caller, request.method, routeOptions.config.changes)) return readOnlyKey;
    if (isOpen || caller) return undefined;
    reply.header('www-authenticate', 'Bearer');
    return notLoggedIn;
  }

  /** Another server has checked host, origin, rate and credentials already. */
  function refuseServer(request: FastifyRequest): ParleyError | undefined {
    if (options.isClosing()) return movedAway();
    request.caller = options.servers?.callerOf(request);
    if (!request.caller) return notAServer;
    // The audit log is about people, not about the servers in between.
    const { address } = request.caller;
    if (address !== undefined) Object.defineProperty(request, 'ip', { value: address });
    return mayUseMethod(request.caller, request.method, request.routeOptions.config.changes)
      ? undefined
      : readOnlyKey;
  }

  async function callerOf(request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined> {
    const withKey = await options.credentials(presentedCredentials(request.headers));
    if (withKey === undefined) return options.loginOf(request, reply);
    // The key of a disabled person doesn't count.
    return withKey.person === undefined || options.people.has(withKey.person) ? withKey : undefined;
  }

  /** A browser of the household must reach the login form, no matter how many strangers request it. */
  async function overallWait(request: FastifyRequest): Promise<number | undefined> {
    if (request.caller) return rates.household(request);
    const wait = rates.strangers(request);
    if (wait === undefined || !(await options.isKnownBrowser(request))) return wait;
    return rates.household(request);
  }
}

function busyPage({ language, tooMany }: PageTexts, seconds: number): Page {
  return { language, title: 'Parley', body: `<h1>${tooMany.title}</h1>\n<p>${tooMany.hint(seconds)}</p>` };
}

/** With `detail`, which clients of the notes assistant read. All routes have it, so that refusals look the same. */
function toRefusal({ code, message }: Failure): ErrorBody {
  return { error: { code, message }, detail: message };
}

const notAllowed = new ParleyError(
  'forbidden',
  'Your role does not include this. Ask an owner of this server.',
);

const keysDontGrant = new ParleyError(
  'forbidden',
  'An API key cannot change who gets in or what runs here. Log in, or use the command line.',
);

const notAServer = new ParleyError(
  'unauthenticated',
  'This request does not come from a server of this cluster. Set the same PARLEY_CLUSTER_SECRET on all servers.',
);

const notLoggedIn = new ParleyError(
  'unauthenticated',
  'Log in, or send a valid API key in the header X-API-Key.',
);

function accessOf(request: FastifyRequest): RouteAccess {
  if (request.is404) return 'caller';
  return request.routeOptions.config.access ?? 'person';
}
