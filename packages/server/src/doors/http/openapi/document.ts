// The OpenAPI description, collected from the schemas of the routes.
import swagger from '@fastify/swagger';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { silentLogger } from '../../../domain/logger.ts';
import { type App, createApp } from '../app.ts';
import { addRoutes, type RouteServices } from '../routes/routes.ts';
import { listNamedSchemas, namedSchemas } from './named-schemas.ts';

/** Must come before the routes, which it watches being added. The document itself is made when asked for. */
export async function describeRoutes(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parley',
        description: 'Every request names its person: in the header X-Notes-Person, or in a field `person`.',
        version: '1',
      },
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          bearer: { type: 'http', scheme: 'bearer' },
        },
      },
      security: [{ apiKey: [] }, { bearer: [] }],
    },
    transform: createJsonSchemaTransform({ schemaRegistry: namedSchemas }),
    transformObject: listNamedSchemas,
  });
}

/** The document as it is published in `docs/openapi.json`. */
export async function renderOpenApi(): Promise<string> {
  const app = createApp({ logger: silentLogger, bodyBytes: 1, trustedProxies: [] });
  await describeRoutes(app);
  addRoutes(app, neverCalled);
  await app.ready();
  const text = `${JSON.stringify(app.swagger(), null, 2)}\n`;
  await app.close();
  return text;
}

/** Routes are described here, not served: none of these is ever looked at. */
const neverCalled = { notes: {}, metrics: {}, demo: false } as RouteServices;
