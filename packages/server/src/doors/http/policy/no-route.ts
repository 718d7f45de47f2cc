// Answers for paths without a route: 405 if the path takes other methods, else 404.
import type { ErrorBody } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerFailure, noSuchRoute, sendError } from '../errors.ts';

export interface DoorRoute {
  readonly method: string;
  /** The router's pattern, such as `/api/recipes/:id`. */
  readonly path: string;
}

/** Runs after the policy, so strangers don't learn which paths exist. */
export function answerNoRoute(routes: readonly DoorRoute[]) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const methods = methodsAt(request.url, routes);
    if (methods.length === 0) return sendError(request, reply, noSuchRoute);
    const message = `This address accepts ${methods.join(', ')}, not ${request.method}.`;
    reply.header('allow', methods.join(', '));
    const body: ErrorBody = { error: { code: 'invalid', message } };
    return answerFailure(request, reply, 405, body);
  };
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
