// The OpenAPI description, built from the schemas of the routes.
import swagger from '@fastify/swagger';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { silentLogger } from '../../../domain/logger.ts';
import { createApp } from '../app.ts';
import { addRoutes, type RouteServices } from '../routes.ts';
import { listNamedSchemas, toJsonSchema } from './named-schemas.ts';

/**
 * Built on a separate app that is never served, so that the server loads the generator only if somebody asks for the
 * description.
 */
export async function describeApi(): Promise<object> {
  const app = createApp({ logger: silentLogger, bodyBytes: 1, trustedProxies: [], basePath: '' });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parley',
        description:
          'Name the person in the header X-Notes-Person or in a field `person`; a login remembers one. docs/programs.md has tested examples for every door.',
        version: '1',
      },
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          bearer: { type: 'http', scheme: 'bearer' },
          login: {
            type: 'apiKey',
            in: 'cookie',
            name: 'rv_session',
            description: 'Over TLS, the name is `__Host-rv_session`.',
          },
        },
      },
      security: [{ apiKey: [] }, { bearer: [] }, { login: [] }],
    },
    transform: createJsonSchemaTransform(toJsonSchema),
    transformObject: listNamedSchemas,
  });
  addRoutes(app, neverCalled);
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}

/** The document as it is published in `docs/openapi.json`. */
export async function renderOpenApi(): Promise<string> {
  return `${JSON.stringify(await describeApi(), null, 2)}\n`;
}

/** The routes are only described, so their services are never called. */
const neverCalled = {
  notes: {},
  kitchen: { bodyBytes: 1 },
  sessions: { bodyBytes: 1 },
  household: {},
  keys: {},
  audit: {},
  usage: {},
  linkedIn: {},
  settings: {},
  support: {},
  login: {},
  account: { openId: {} },
  files: { places: {} },
  changes: {},
  notifications: {},
  push: {},
  live: { upgrades: { route: () => async () => undefined } },
  claudeCode: { upgrades: { route: () => async () => undefined } },
  docs: {},
  webApp: { help: new Map() },
  metrics: {},
} as unknown as RouteServices;
