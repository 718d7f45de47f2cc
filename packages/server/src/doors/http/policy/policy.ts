// Runs before every handler: host, origin, rate, credentials, person. Routes are closed unless they say otherwise,
// so a new one can't be left open by accident.
import { type ErrorBody, ParleyError, type PersonName } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inTime } from '../../../content/waiting-time.ts';
import type { App } from '../app.ts';
import { type Failure, sendFailure } from '../errors.ts';
import { loginPage } from '../login/login-page.ts';
import type { LoginCheck } from '../login/recognise.ts';
import { returnPath } from '../login/return-path.ts';
import type { HttpDoorOptions } from '../options.ts';
import { sendPage } from '../web-app/page.ts';
import { textsFor } from '../web-app/page-texts.ts';
import { type Caller, presentedCredentials } from './credentials.ts';
import { foreignHost, foreignOrigin, hostCheck, isForeignOrigin } from './origin.ts';
import { choosePerson } from './person.ts';
import { rateCheck } from './rate-limits.ts';

/** `person` (the default) requires credentials and a person, `caller` only credentials, `open` nothing. */
type Access = 'person' | 'caller' | 'open';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
    /** Set on routes with access `person`, before the handler runs. */
    person: PersonName;
  }
  interface FastifyContextConfig {
    access?: Access;
  }
}

export interface PolicyOptions
  extends Pick<HttpDoorOptions, 'host' | 'allowedHosts' | 'credentials' | 'people' | 'limits' | 'demo'> {
  /** The caller behind the request's login cookie, if it has one. */
  readonly loginOf: LoginCheck;
  readonly isClosing: () => boolean;
  readonly basePath: string;
}

export async function applyPolicy(app: App, options: PolicyOptions): Promise<void> {
  const isOurHost = hostCheck(options.host, options.allowedHosts);
  const secondsToWait = await rateCheck(app, options.limits.requestsPerMinute);

  app.decorateRequest('caller', undefined);
  app.decorateRequest('person', '');

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    const refusal = await refuse(request, reply);
    // Refusals look the same for all routes, known and unknown, so a stranger learns nothing.
    if (!refusal) return undefined;
    if (refusal === notLoggedIn && isPageRequest(request)) {
      return sendPage(
        reply,
        401,
        loginPage({ ...options, texts: textsFor(request), next: returnPath(request.url) }),
      );
    }
    sendFailure(request, reply, refusal, toRefusal);
    return reply;
  });

  app.addHook('preHandler', async (request) => {
    if (accessOf(request) !== 'person' || !request.caller) return;
    const named = { header: request.headers['x-notes-person'], body: request.body, query: request.query };
    request.person = choosePerson(named, request.caller, options.people);
  });

  async function refuse(request: FastifyRequest, reply: FastifyReply): Promise<ParleyError | undefined> {
    const { host, origin, upgrade } = request.headers;
    if (!isOurHost(host)) return foreignHost;
    // Browsers don't apply cross-site rules to upgraded connections, so we check the request itself.
    const method = upgrade === undefined ? request.method : 'UPGRADE';
    if (isForeignOrigin(method, origin, host)) return foreignOrigin;
    if (options.isClosing())
      return new ParleyError('unavailable', 'The server is stopping. Try again in a moment.');

    const wait = await secondsToWait(request);
    if (wait !== undefined) {
      reply.header('retry-after', wait);
      return new ParleyError('rate_limited', `Too many requests. Try again ${inTime(wait)}.`);
    }

    if (accessOf(request) === 'open') return undefined;
    request.caller =
      (await options.credentials(presentedCredentials(request.headers))) ??
      (await options.loginOf(request, reply));
    if (request.caller) return undefined;
    reply.header('www-authenticate', 'Bearer');
    return notLoggedIn;
  }
}

/** With `detail`, which clients of the notes assistant read; it can't depend on the route. */
function toRefusal({ code, message }: Failure): ErrorBody {
  return { error: { code, message }, detail: message };
}

const notLoggedIn = new ParleyError(
  'unauthenticated',
  'Log in, or send a valid API key in the header X-API-Key.',
);

/** True for browser navigation; requests made by a page's own script don't want a page back. */
export function isPageRequest({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');
}

function accessOf(request: FastifyRequest): Access {
  if (request.is404) return 'caller';
  return request.routeOptions.config.access ?? 'person';
}
