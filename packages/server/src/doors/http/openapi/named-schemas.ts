// The schemas that the API description lists once, by name.
import {
  ChannelStatus,
  ChatEvent,
  ChatFailure,
  ChatResponse,
  ClearResponse,
  Envelope,
  ErrorBody,
  HistoryEntry,
  HistoryResponse,
  Me,
  Recipe,
  Session,
  StreamLine,
  Usage,
} from '@parley/protocol';
import { createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';

const named = {
  ChannelStatus,
  ChatEvent,
  ChatFailure,
  ChatResponse,
  ClearResponse,
  Envelope,
  ErrorBody,
  HistoryEntry,
  HistoryResponse,
  Me,
  Recipe,
  Session,
  StreamLine,
  Usage,
};

const namedSchemas = z.registry<{ id?: string }>();
for (const [id, schema] of Object.entries(named)) namedSchemas.add(schema, { id });

export const toJsonSchema: Parameters<typeof createJsonSchemaTransformObject>[0] = {
  schemaRegistry: namedSchemas,
  zodToJsonConfig: {
    // Descriptions are in zod's global registry, which is ignored if another registry is given.
    override({ zodSchema, jsonSchema }) {
      const description = z.globalRegistry.get(zodSchema)?.description;
      if (description !== undefined) jsonSchema.description ??= description;
    },
  },
};

const list = createJsonSchemaTransformObject(toJsonSchema);

/** Adds the named schemas to a document, only for responses, because requests use none of them. */
export const listNamedSchemas: typeof list = (document) => {
  const { components, ...rest } = list(document) as { components?: { schemas?: Record<string, object> } };
  const schemas = Object.entries(components?.schemas ?? {}).filter(([name]) => name in named);
  return { ...rest, components: { ...components, schemas: Object.fromEntries(schemas) } };
};
