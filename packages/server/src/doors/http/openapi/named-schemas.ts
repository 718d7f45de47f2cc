// The schemas that the API description lists once, by name.
import * as protocol from '@parley/protocol';
import { createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';

const names = [
  'ChannelStatus',
  'ChatEvent',
  'ChatFailure',
  'ChatResponse',
  'ClearResponse',
  'Envelope',
  'ErrorBody',
  'HistoryEntry',
  'HistoryResponse',
  'Me',
  'Recipe',
  'Session',
  'StreamLine',
  'Usage',
] as const;

const namedSchemas = z.registry<{ id?: string }>();
const schemas: Readonly<Record<(typeof names)[number], z.ZodType>> = protocol;
for (const id of names) namedSchemas.add(schemas[id], { id });

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
  const schemas = Object.entries(components?.schemas ?? {}).filter(([name]) =>
    names.some((known) => known === name),
  );
  return { ...rest, components: { ...components, schemas: Object.fromEntries(schemas) } };
};
