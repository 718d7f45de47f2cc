// Fastify as every part of the door expects it: zod schemas, a cap on bodies, an id for each request. No policy yet.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  fastify,
  LogController,
  type RawServerDefault,
} from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { sendError } from './errors.ts';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface AppOptions {
  readonly logger: FastifyBaseLogger;
  readonly bodyBytes: number;
  readonly trustedProxies: readonly string[];
}

/** The time that a client has to send its whole request. */
const requestTimeout = 30_000;

export function createApp({ logger, bodyBytes, trustedProxies }: AppOptions): App {
  const options: FastifyServerOptions = {
    loggerInstance: logger,
    bodyLimit: bodyBytes,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestTimeout,
    genReqId: () => randomUUID(),
    // Addresses may carry what does not belong into a log; turns are logged by the gateway.
    logController: new LogController({ disableRequestLogging: true }),
    return503OnClosing: false,
    // Given here rather than set later, so that the framework does not load compilers of its own (35 ms).
    schemaController: { compilersFactory: zodCompilers },
    frameworkErrors: (error, request, reply) => {
      sendError(request, reply, error);
    },
  };
  const app = fastify(options).withTypeProvider<ZodTypeProvider>();
  app.setErrorHandler((error, request, reply) => sendError(request, reply, error));
  return app;
}

type CompilersFactory = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;

// The framework types these for JSON Schema alone, and calls them for any schema.
const zodCompilers = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => serializerCompiler,
} as unknown as CompilersFactory;
