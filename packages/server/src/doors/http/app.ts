// Fastify as every part of the door expects it: zod schemas, a cap on bodies, an id for each request. No policy yet.
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

export interface AppOptions {
  readonly logger: Logger;
  readonly bodyBytes: number;
  readonly trustedProxies: readonly string[];
  /** Taken off the addresses of requests, where a proxy has not done so already. */
  readonly basePath: string;
}

/** The time that a client has to send its whole request. */
const requestTimeout = 30_000;

export function createApp({ logger, bodyBytes, trustedProxies, basePath }: AppOptions): App {
  const options: FastifyServerOptions = {
    // The framework logs nothing itself: addresses may carry what does not belong into a log.
    logger: false,
    bodyLimit: bodyBytes,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestTimeout,
    rewriteUrl: ({ url = '/' }) => decodable(withoutBase(url, basePath)),
    // Longer than any address: the router would refuse it before the policy had a look, and the schemas know better.
    routerOptions: { maxParamLength: 64 * 1024 },
    genReqId: () => randomUUID(),
    return503OnClosing: false,
    // Given here rather than set later, so that the framework does not load compilers of its own (35 ms).
    schemaController: { compilersFactory: zodCompilers },
    clientErrorHandler: refuseUnreadable,
  };
  const app = fastify(options).withTypeProvider<ZodTypeProvider>();
  // JSON is the only body. Plain text is what a foreign page could send without being asked.
  app.removeContentTypeParser('text/plain');
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

/** An address that cannot be decoded is taken by the letter, so that it is under the policy like any other. */
function decodable(url: string): string {
  const [path = ''] = url.split('?', 1);
  return isDecodable(path) ? url : path.replaceAll('%', '%25') + url.slice(path.length);
}

function isDecodable(path: string): boolean {
  try {
    // The result is used, as a bundler leaves out a call that is only made to see whether it throws.
    return decodeURIComponent(path).length > 0;
  } catch {
    return false;
  }
}

type CompilersFactory = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;

// The framework types these for JSON Schema alone, and calls them for any schema.
const zodCompilers = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => serializerCompiler,
} as unknown as CompilersFactory;
