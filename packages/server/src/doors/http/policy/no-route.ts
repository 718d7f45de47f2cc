// What is answered where no route is: that the address takes another method, or that there is nothing.
import type { ErrorBody } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerFailure, noSuchRoute, sendError } from '../errors.ts';

export interface DoorRoute {
  readonly method: string;
  /** As the router has it, such as `/api/recipes/:id`. */
  readonly path: string;
}

/** Asked only after the policy, so strangers do not learn which addresses there are. */
export function answerNoRoute(routes: readonly DoorRoute[]) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const methods = methodsAt(request.url, routes);
    if (methods.length === 0) return sendError(request, reply, noSuchRoute);
    const message = `This address takes ${methods.join(', ')} but not ${request.method}.`;
    reply.header('allow', methods.join(', '));
    const body: ErrorBody = { error: { code: 'invalid', message } };
    return answerFailure(request, reply, 405, body);
  };
}

function methodsAt(url: string, routes: readonly DoorRoute[]): readonly string[] {
  const [path = ''] = url.split('?', 1);
  const segments = path.split('/');
  const found = routes.filter((route) => leadsTo(route.path.split('/'), segments));
  return [...new Set(found.map(({ method }) => method))].toSorted();
}

function leadsTo(pattern: readonly string[], segments: readonly string[]): boolean {
  const rest = pattern.indexOf('*');
  if (rest === -1 ? pattern.length !== segments.length : pattern.length > segments.length) return false;
  return pattern.every((part, at) => part === '*' || part.startsWith(':') || part === segments[at]);
}
