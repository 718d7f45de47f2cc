// Fastify set up the way the whole door expects: zod schemas, a body limit, request ids. No policy yet.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  fastify,
  type RawServerDefault,
} from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from '../../domain/logger.ts';
import { sendError } from './errors.ts';
import { refuseUnreadable } from './policy/unreadable-requests.ts';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

declare module 'fastify' {
  interface FastifyInstance {
    doorLogger: Logger;
  }
}

interface HttpAppOptions {
  readonly logger: Logger;
  readonly bodyBytes: number;
  readonly trustedProxies: readonly string[];
  /** Stripped from request paths, unless a proxy has already done so. */
  readonly basePath: string;
}

/** How long a client may take to send its whole request. */
const requestTimeout = 30_000;

export function createApp({ logger, bodyBytes, trustedProxies, basePath }: HttpAppOptions): App {
  const options: FastifyServerOptions = {
    // The framework itself logs nothing: URLs may contain things that don't belong in a log.
    logger: false,
    bodyLimit: bodyBytes,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestTimeout,
    rewriteUrl: ({ url = '/' }) => decodable(withoutBase(url, basePath)),
    // Longer than any URL: otherwise the router would refuse it before the policy ran. The schemas set the real limits.
    routerOptions: { maxParamLength: 64 * 1024 },
    genReqId: () => randomUUID(),
    return503OnClosing: false,
    // Passed here rather than set later, so that the framework doesn't load its own compilers (35 ms).
    schemaController: { compilersFactory: zodCompilers },
    clientErrorHandler: refuseUnreadable,
  };
  const app = fastify(options).withTypeProvider<ZodTypeProvider>();
  // JSON only. A foreign page could send plain text without a preflight request.
  app.removeContentTypeParser('text/plain');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, parsed) => {
    // Many clients set the header on every request, even without a body.
    const takesNone = request.routeOptions.schema?.body === undefined;
    if (body === '' && takesNone) return parsed(null, undefined);
    return parseJson(request, String(body), parsed);
  });
  app.decorate('doorLogger', logger);
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error));
  return app;
}

function withoutBase(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url;
}

/** A path that can't be decoded is taken literally, so that the policy applies to it as to any other. */
function decodable(url: string): string {
  const [path = ''] = url.split('?', 1);
  return isDecodable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length);
}

function isDecodable(path: string): boolean {
  try {
    // Uses the result, because a bundler removes a call made only to see whether it throws.
    return decodeURIComponent(path).length > 0;
  } catch {
    return false;
  }
}

type CompilersFactory = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;

// The framework types these for JSON Schema only but calls them for any schema.
const zodCompilers = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => serializerCompiler,
} as unknown as CompilersFactory;
