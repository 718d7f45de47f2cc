// Answers for paths without a route: 405 if the path takes other methods, else 404, which people get as a page.

import type { ErrorBody } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../../../content/escape-html.ts';
import { answerFailure, noSuchRoute, sendError } from '../errors.ts';
import { isPageRequest } from '../request-facts.ts';
import { sendPage } from '../web-app/page.ts';
import { textsFor } from '../web-app/page-texts.ts';

export interface DoorRoute {
  readonly method: string;
  /** The router's pattern, such as `/api/recipes/:id`. */
  readonly path: string;
}

/** Runs after the policy, so strangers don't learn which paths exist. */
export function answerNoRoute(routes: readonly DoorRoute[], basePath: string) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const methods = methodsAt(request.url, routes);
    if (methods.length === 0)
      return isPageRequest(request)
        ? sendNothingHere(request, reply, basePath)
        : sendError(request, reply, noSuchRoute);
    const message = `This address accepts ${methods.join(', ')}, not ${request.method}.`;
    reply.header('allow', methods.join(', '));
    const body: ErrorBody = { error: { code: 'invalid', message } };
    return answerFailure(request, reply, 405, body);
  };
}

function sendNothingHere(request: FastifyRequest, reply: FastifyReply, basePath: string): void {
  const { language, nothingHere, backToParley } = textsFor(request);
  const body = `<h1>${nothingHere}</h1>\n<p><a href="${escapeHtml(basePath)}/">${backToParley}</a></p>`;
  sendPage(reply, 404, { language, title: nothingHere, body });
}

function methodsAt(url: string, routes: readonly DoorRoute[]): readonly string[] {
  const [path = ''] = url.split('?', 1);
  const segments = path.split('/');
  const found = routes.filter((route) => matches(route.path.split('/'), segments));
  return [...new Set(found.map(({ method }) => method))].toSorted();
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const rest = pattern.indexOf('*');
  if (rest === -1 ? pattern.length !== segments.length : pattern.length > segments.length) return false;
  return pattern.every((part, at) => part === '*' || part.startsWith(':') || part === segments[at]);
}
