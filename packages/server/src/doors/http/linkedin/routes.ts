// Connects a person's LinkedIn account: to LinkedIn's consent page and back.

import { ErrorBody } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { escapeHtml } from '../../../content/escape-html.ts';
import type { LinkedInConnections } from '../../../domain/linkedin.ts';
import type { App } from '../app.ts';
import { logFailure, sendError, toFailure } from '../errors.ts';
import { noContent, response, responses } from '../openapi/responses.ts';
import { isPageRequest, originOf } from '../request-facts.ts';
import { type Page, sendPage } from '../web-app/page.ts';
import { type PageTexts, textsFor } from '../web-app/page-texts.ts';

export interface LinkedInServices {
  readonly connections: LinkedInConnections;
  /** The path prefix that Parley is served under. */
  readonly basePath: string;
}

const tags = ['linkedin'];
const page = response('The page.', 'text/html', z.string());
const Status = z.object({
  connected: z.boolean(),
  expires_at: z
    .number()
    .nullable()
    .describe('When the connection expires, in milliseconds since 1970, if known.'),
});

/** What LinkedIn adds to the URL. It comes from outside, so only short, plain values are accepted. */
const word = z
  .string()
  .max(1_000)
  .regex(/^[\w.~+/=-]*$/);
const CameBack = z.object({ state: word.default(''), code: word.optional(), error: word.optional() });

export function linkedInRoutes(app: App, { connections, basePath }: LinkedInServices): void {
  app.get(
    '/api/linkedin',
    { schema: { tags, summary: 'Whether LinkedIn is connected', response: responses(Status, ErrorBody) } },
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
        summary: 'Connect LinkedIn: redirects the browser to its consent page',
        response: { ...responses(z.unknown(), ErrorBody), 302: z.null().describe('Redirect to LinkedIn.') },
      },
      config: { changes: true },
      errorHandler: explain,
    },
    async (request, reply) =>
      reply.redirect(await connections.begin(request.person, loginOf(request), callbackOf(request)), 302),
  );

  // A browser coming from another site doesn't send our login cookie, so this page only redirects to the next one.
  app.get(
    '/api/linkedin/callback',
    {
      config: { access: 'open' },
      schema: {
        tags,
        summary: 'Where LinkedIn sends the browser back to; needs no credentials and changes nothing',
        security: [],
        querystring: CameBack,
        response: { 200: page },
      },
    },
    (request, reply) =>
      void sendPage(reply, 200, cameBackPage(basePath + finishPath(request.query), textsFor(request))),
  );

  app.get(
    '/api/linkedin/finish',
    {
      config: { access: 'caller', changes: true },
      schema: {
        tags,
        summary: 'Finish connecting; must be the login that started it',
        querystring: CameBack,
        response: { ...responses(z.unknown(), ErrorBody), 200: page },
      },
      errorHandler: explain,
    },
    async (request, reply) => {
      const signal = AbortSignal.timeout(longestExchangeMs);
      const person = await connections.finish({ ...request.query, login: loginOf(request), signal });
      return sendPage(reply, 200, connectedPage(person, basePath, textsFor(request)));
    },
  );

  app.delete(
    '/api/linkedin',
    {
      schema: {
        tags,
        summary: 'Disconnect LinkedIn',
        response: noContent,
      },
    },
    async ({ person }, reply) => {
      await connections.forget(person);
      return reply.code(204).send(null);
    },
  );

  /** Browsers get a page. */
  function explain(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
    if (!isPageRequest(request)) return sendError(request, reply, error);
    const { status, message } = toFailure(error);
    if (status >= 500) logFailure(request, error);
    return sendPage(reply, status, notConnectedPage(message, basePath, textsFor(request)));
  }

  /** Uses the Host header, which the policy has checked, rather than a forwarded name, which it has not. */
  function callbackOf(request: FastifyRequest): string {
    return `${originOf(request)}${basePath}/api/linkedin/callback`;
  }
}

const longestExchangeMs = 30_000;

/** The login, or for a program its key. People choose the labels of their keys, so two can be the same. */
function loginOf({ caller }: FastifyRequest): string {
  return caller?.login ?? `key ${caller?.key ?? caller?.label ?? ''}`;
}

function finishPath(query: z.infer<typeof CameBack>): string {
  const fields = Object.entries(query).filter((field): field is [string, string] => field[1] !== undefined);
  return `/api/linkedin/finish?${new URLSearchParams(fields).toString()}`;
}

/** Redirects on its own. The next request comes from our own site, so the browser sends the login cookie. */
function cameBackPage(next: string, texts: PageTexts): Page {
  const path = escapeHtml(next);
  return {
    language: texts.language,
    title: texts.connecting,
    body: `<meta http-equiv="refresh" content="0; url=${path}">
<h1>${texts.almostThere}</h1>
<p>${texts.continue(path)}</p>`,
  };
}

function notConnectedPage(problem: string, basePath: string, texts: PageTexts): Page {
  const home = `${escapeHtml(basePath)}/`;
  return {
    language: texts.language,
    title: texts.notConnected,
    body: `<h1>${texts.notConnected}</h1>
<p>${escapeHtml(problem)}</p>
<p>${texts.tryAgain(`${home}api/linkedin/connect`, home)}</p>`,
  };
}

function connectedPage(person: string, basePath: string, texts: PageTexts): Page {
  return {
    language: texts.language,
    title: texts.connected,
    body: `<h1>${texts.connected}</h1>
<p>${texts.connectedFor(escapeHtml(person))}</p>
<p><a href="${escapeHtml(basePath)}/">${texts.backToParley}</a></p>`,
  };
}
