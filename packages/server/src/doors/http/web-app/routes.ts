// The web app: one page for all of its URLs, and its files. If the app isn't built, a page that says so.

import { createReadStream } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { escapeHtml } from '../../../content/escape-html.ts';
import type { App } from '../app.ts';
import { noSuchRoute, sendError } from '../errors.ts';
import { response } from '../openapi/responses.ts';
import type { WebApp, WebFile } from './files.ts';
import { type Page, sendPage } from './page.ts';
import { type PageTexts, textsFor } from './page-texts.ts';

export interface WebAppServices {
  readonly app: WebApp | undefined;
  /** The path prefix that Parley is served under; empty if it has its own host. */
  readonly basePath: string;
  readonly demo: boolean;
  readonly version: string;
}

/** URLs handled inside the app. */
const appPaths = [
  '/chat',
  '/chat/*',
  '/recipes/*',
  '/code',
  '/code/*',
  '/overview',
  '/settings',
  '/settings/*',
  '/setup',
  '/setup/*',
];
const config = { access: 'caller' } as const;
const schema = {
  tags: ['login'],
  summary: 'The start page',
  response: { 200: response('The page.', 'text/html', z.string()) },
};

export function webAppRoutes(app: App, services: WebAppServices): void {
  const { app: web, basePath } = services;
  if (!web) {
    app.get(
      '/',
      { config, schema },
      (request, reply) => void sendPage(reply, 200, homePage(services, textsFor(request))),
    );
    return;
  }
  const sendApp = (request: FastifyRequest, reply: FastifyReply): void =>
    void reply
      .headers(pageHeaders)
      .type('text/html; charset=utf-8')
      .serializer(String)
      .send(web.page(basePath, textsFor(request).language));
  app.get('/', { config, schema }, sendApp);
  for (const path of appPaths) app.get(path, { config }, sendApp);

  app.get<{ Params: { '*': string } }>(
    '/assets/*',
    { config: { ...config, isFile: true } },
    (request, reply) => {
      const name = `assets/${request.params['*']}`;
      const file = web.files.get(name);
      return file ? sendWebFile(file, name, request, reply) : sendError(request, reply, noSuchRoute);
    },
  );
  for (const [name, file] of web.files) {
    // Pages before a login use the font.
    const access = name === web.font ? 'open' : 'caller';
    if (access === 'open' || !file.isHashed)
      app.get(`/${name}`, { config: { access, isFile: true } }, (request, reply) =>
        sendWebFile(file, name, request, reply),
      );
  }
}

function homePage({ demo, version, basePath }: WebAppServices, texts: PageTexts): Page {
  const at = escapeHtml(basePath);
  return {
    language: texts.language,
    title: 'Parley',
    hasForm: true,
    body: `<h1>${texts.isRunning}</h1>
<p>${texts.home(escapeHtml(version), `${at}/api/docs`)}</p>
<form method="post" action="${at}/logout">
<button type="submit" class="quiet">${texts.logOut}</button>
</form>
${demo ? `<p class="demo">${texts.demoHome}</p>` : ''}`,
  };
}

export function sendWebFile(
  file: WebFile,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const compressed = acceptsGzip(request) ? file.gzipped : undefined;
  reply
    .header('cache-control', file.isHashed ? 'private, max-age=31536000, immutable' : 'private, max-age=3600')
    .header('vary', 'accept-encoding')
    .type(file.type);
  if (file.type.startsWith('text/javascript'))
    reply.header('content-security-policy', name === serviceWorker ? serviceWorkerPolicy : scriptPolicy);
  // Browsers should look for a new one each time.
  if (name === serviceWorker || file.type.startsWith('text/html')) reply.header('cache-control', 'no-cache');
  if (file.isHashed) {
    const etag = `"${name}${compressed === undefined ? '' : '.gz'}"`;
    reply.header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  }
  if (compressed !== undefined) reply.header('content-encoding', 'gzip');
  return reply.send(createReadStream(compressed ?? file.path));
}

function acceptsGzip({ headers }: FastifyRequest): boolean {
  return /\bgzip\b/.test(headers['accept-encoding'] ?? '');
}

/** A worker uses the policy of its own file: it may load its own parts and nothing else. */
const scriptPolicy = "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** It makes the requests of its pages. */
const serviceWorker = 'service-worker.js';
const serviceWorkerPolicy = "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Scripts, images and connections only from this server. The terminal and the scroll lock insert their own style
 * elements; style attributes in markup stay forbidden.
 */
const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "style-src-attr 'none'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  // Without a referrer, browsers submit forms without an origin, and the policy would refuse them.
  'referrer-policy': 'same-origin',
  vary: 'accept-language, cookie',
};
