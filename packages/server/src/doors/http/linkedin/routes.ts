// Connecting a person's LinkedIn account: to LinkedIn's consent page and back.
import { ErrorBody } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { LinkedInConnections } from '../../../domain/linkedin.ts';
import type { App } from '../app.ts';
import { logFailure, sendError, toFailure } from '../errors.ts';
import { answer, answers } from '../openapi/answers.ts';
import { isPageRequest } from '../policy/policy.ts';
import { sendPage } from '../web-app/page.ts';
import { cameBackPage, connectedPage, notConnectedPage } from './pages.ts';

export interface LinkedInServices {
  readonly connections: LinkedInConnections;
  /** What stands before every path where the server is reached below one. */
  readonly basePath: string;
}

const tags = ['linkedin'];
const page = answer('The page.', 'text/html', z.string());
const Status = z.object({
  connected: z.boolean(),
  expires_at: z
    .number()
    .nullable()
    .describe('When it ends, in milliseconds since 1970, where that is known.'),
});

/** What LinkedIn adds to the address. Its values come from outside, so they are short and plain or not there. */
const word = z
  .string()
  .max(1_000)
  .regex(/^[\w.~+/=-]*$/);
const CameBack = z.object({ state: word.default(''), code: word.optional(), error: word.optional() });

export function linkedInRoutes(app: App, { connections, basePath }: LinkedInServices): void {
  app.get(
    '/api/linkedin',
    { schema: { tags, summary: 'Whether LinkedIn is connected', response: answers(Status, ErrorBody) } },
    async ({ person }) => {
      const { connected, expiresAt } = await connections.status(person);
      return { connected, expires_at: expiresAt ?? null };
    },
  );

  app.get(
    '/api/linkedin/connect',
    {
      schema: {
        tags,
        summary: 'Connect LinkedIn: leads the browser to its consent page',
        response: { ...answers(z.unknown(), ErrorBody), 302: z.null().describe('The way to LinkedIn.') },
      },
      errorHandler: sayWhy,
    },
    async (request, reply) =>
      reply.redirect(await connections.begin(request.person, loginOf(request), callbackOf(request)), 302),
  );

  // A browser that comes from another site brings no login along, so this page only leads on to the next one.
  app.get(
    '/api/linkedin/callback',
    {
      config: { access: 'open' },
      schema: {
        tags,
        summary: 'Where LinkedIn sends the browser back to; needs no credentials and does nothing',
        security: [],
        querystring: CameBack,
        response: { 200: page },
      },
    },
    ({ query }, reply) => void sendPage(reply, 200, cameBackPage(basePath + finishPath(query))),
  );

  app.get(
    '/api/linkedin/finish',
    {
      config: { access: 'caller' },
      schema: {
        tags,
        summary: 'Ends a connection that the same login has begun',
        querystring: CameBack,
        response: { ...answers(z.unknown(), ErrorBody), 200: page },
      },
      errorHandler: sayWhy,
    },
    async (request, reply) => {
      const signal = AbortSignal.timeout(longestExchangeMs);
      const person = await connections.finish({ ...request.query, login: loginOf(request), signal });
      return sendPage(reply, 200, connectedPage(person, basePath));
    },
  );

  app.delete(
    '/api/linkedin',
    {
      schema: {
        tags,
        summary: 'Forget the connection',
        response: { ...answers(z.unknown(), ErrorBody), 204: z.null().describe('Done.') },
      },
    },
    async ({ person }, reply) => {
      await connections.forget(person);
      return reply.code(204).send(null);
    },
  );

  /** On a page, for whoever came with a browser. */
  function sayWhy(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    if (!isPageRequest(request)) return sendError(request, reply, error);
    const { status, message } = toFailure(error);
    if (status >= 500) logFailure(request, error);
    return sendPage(reply, status, notConnectedPage(message, basePath));
  }

  /** Under the name by which the browser asked, which the policy has checked; unlike one that a proxy passes on. */
  function callbackOf({ protocol, headers }: FastifyRequest): string {
    return `${protocol}://${headers.host}${basePath}/api/linkedin/callback`;
  }
}

const longestExchangeMs = 30_000;

/** A login where there is one; a program is known by its key. */
function loginOf({ caller }: FastifyRequest): string {
  return caller?.login ?? `key ${caller?.label ?? ''}`;
}

function finishPath(query: z.infer<typeof CameBack>): string {
  const fields = Object.entries(query).filter((field): field is [string, string] => field[1] !== undefined);
  return `/api/linkedin/finish?${new URLSearchParams(fields).toString()}`;
}
