// The API description as a page.
import { escapeHtml } from '../../../content/escape-html.ts';
import type { Page } from '../web-app/page.ts';

export function docsPage(document: object, { demo }: { readonly demo: boolean }): Page {
  const { info, paths, components } = document as OpenApiDocument;
  const schemas = Object.entries(components?.schemas ?? {}).map(([name, schema]) =>
    renderSchema(name, schema),
  );
  const operations = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => renderOperation(method, path, operation)),
  );
  const body = `<h1>${escapeHtml(info.title)} API</h1>
${demo ? '<p><strong>This is a demo: a scripted model answers.</strong></p>' : ''}
<p>${escapeHtml(info.description ?? '')}</p>
<p>Also as OpenAPI: <a href="docs/json">docs/json</a></p>
${operations.join('\n')}
<section>
<h2>Schemas</h2>
${schemas.join('\n')}
</section>`;
  return { language: 'en', title: `${info.title} API`, body };
}

interface OpenApiDocument {
  readonly info: { readonly title: string; readonly description?: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: unknown }>> };
  readonly responses?: Readonly<Record<string, Response>>;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
}

interface Response {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>;
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, required, description = '' }) =>
      `<li><code>${escapeHtml(name)}</code> (${escapeHtml(place)}${required ? ', required' : ''}) ${escapeHtml(description)}</li>`,
  );
  const responses = Object.entries(operation.responses ?? {}).map(([status, { description = '', content }]) =>
    renderContent(`${status} ${description}`, content),
  );
  return `<section>
<h2><code>${escapeHtml(method)}</code><code>${escapeHtml(path)}</code></h2>
<p>${escapeHtml(operation.summary ?? '')}</p>
<p>${escapeHtml(operation.description ?? '')}</p>
${parameters.length > 0 ? `<ul>${parameters.join('')}</ul>` : ''}
${renderContent('Body', operation.requestBody?.content)}
${responses.join('\n')}
</section>`;
}

function renderContent(title: string, content: Response['content']): string {
  return Object.entries(content ?? {})
    .map(([type, { schema }]) => renderSchema(`${title} (${type})`, schema))
    .join('\n');
}

function renderSchema(title: string, schema: unknown): string {
  const json = JSON.stringify(schema, null, 2) ?? '';
  return `<details><summary>${escapeHtml(title)}</summary><pre>${escapeHtml(json)}</pre></details>`;
}
