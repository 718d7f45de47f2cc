// Renders the API as pages, one for each tag of openapi.json, with types in TypeScript notation: shorter than JSON
// Schema, and familiar to people who call APIs.
import { escapeHtml } from '../../packages/server/src/content/escape-html.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: Readonly<
    Record<string, { readonly description?: string; readonly content?: Content }>
  >;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

export interface ApiPage {
  readonly page: string;
  readonly title: string;
  readonly html: string;
}

const types = 'api-types';
/** Deeper than this, a type is only named. */
const deepest = 3;

export function apiPages({ paths, components }: OpenApi): readonly ApiPage[] {
  const byTag = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = 'other'] = operation.tags ?? [];
      byTag.set(tag, [...(byTag.get(tag) ?? []), operationHtml(method, path, operation)]);
    }
  }
  const tags = [...byTag].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shared = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]) => `<h2 id="${name}">${name}</h2>${typeHtml(schema)}`,
  );
  const listed = tags.map(([tag, { length }]) => `<li><a href="api-${tag}.html">${tag}</a> (${length})</li>`);
  return [
    {
      page: 'api',
      title: 'API',
      html: `<h1 id="api">API</h1><p>Every request needs an API key in <code>X-API-Key</code> or a login, unless it says otherwise. <a href="programs.html">Your own programs</a> explains how to use the API, with examples that are tested. A running server serves this description as OpenAPI at <code>/api/docs/json</code>.</p><ul>${listed.join('')}<li><a href="${types}.html">Shared types</a></li></ul>`,
    },
    ...tags.map(([tag, operations]) => ({
      page: `api-${tag}`,
      title: `API: ${tag}`,
      html: `<h1 id="${tag}">API: ${tag}</h1>${operations.join('\n')}`,
    })),
    {
      page: types,
      title: 'API: types',
      html: `<h1 id="types">API: types</h1>${shared.join('\n')}`,
    },
  ];
}

function operationHtml(method: string, path: string, operation: Operation): string {
  const { summary = '', description = '', parameters = [], requestBody, responses = {} } = operation;
  const name = `${method.toUpperCase()} ${path}`;
  const id = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const rows = parameters.map(
    (one) =>
      `<li><code>${escapeHtml(one.name)}</code> (${one.in}${one.required ? ', required' : ''}): <code>${escapeHtml(typeText(one.schema ?? {}, 0))}</code> ${escapeHtml(one.description ?? '')}</li>`,
  );
  const bodies = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) => `<h3>Body: ${escapeHtml(type)}</h3>${typeHtml(schema ?? {})}`,
  );
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const answers = good.flatMap(([status, { description: about = '', content }]) =>
    Object.entries(content ?? { '': {} }).map(
      ([type, { schema }]) =>
        `<h3>${status}: ${escapeHtml(about)} ${escapeHtml(type)}</h3>${schema ? typeHtml(schema) : ''}`,
    ),
  );
  return `<section><h2 id="${id}"><code>${escapeHtml(name)}</code></h2>
<p>${escapeHtml(summary)}${description === '' ? '' : `. ${escapeHtml(description)}`}</p>
${rows.length > 0 ? `<ul>${rows.join('')}</ul>` : ''}${bodies.join('')}${answers.join('')}</section>`;
}

function typeHtml(schema: Schema): string {
  const text = escapeHtml(typeText(schema, 0));
  const linked = text.replaceAll(/@(\w+)@/g, `<a href="${types}.html#$1">$1</a>`);
  return `<pre tabindex="0"><code>${linked}</code></pre>`;
}

/** Shared types are written as `@Name@`. */
export function typeText(schema: Schema, depth: number): string {
  const { $ref, enum: values, anyOf, oneOf, allOf, items, properties, additionalProperties } = schema;
  if ($ref !== undefined) return `@${$ref.split('/').at(-1)}@`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map((one) => typeText(one, depth)))].join(' | ');
  if (allOf) return allOf.map((one) => typeText(one, depth)).join(' & ');
  if (items)
    return depth > deepest ? 'array' : `(${typeText(items, depth)})[]`.replace(/^\((@?[\w]+@?)\)/, '$1');
  if (properties) return objectText(schema, properties, depth);
  if (typeof additionalProperties === 'object')
    return `{ [name: string]: ${typeText(additionalProperties, depth + 1)} }`;
  return [schema.type ?? 'any'].flat().join(' | ');
}

function objectText(
  { required = [] }: Schema,
  properties: Readonly<Record<string, Schema>>,
  depth: number,
): string {
  if (depth > deepest) return 'object';
  const indent = '  '.repeat(depth + 1);
  const lines = Object.entries(properties).map(
    ([name, schema]) =>
      `${indent}${name}${required.includes(name) ? '' : '?'}: ${typeText(schema, depth + 1)};`,
  );
  return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
}
