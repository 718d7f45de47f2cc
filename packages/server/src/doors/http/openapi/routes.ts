// The API description, for programs and people.
import { z } from 'zod';
import type { App } from '../app.ts';
import { sendPage } from '../web-app/page.ts';
import { docsPage } from './docs-page.ts';
import { response } from './responses.ts';

export interface DocsServices {
  /** The OpenAPI document of all routes. */
  describe(): Promise<object>;
  readonly demo: boolean;
}

const tags = ['docs'];

export function docsRoutes(app: App, services: DocsServices): void {
  app.get(
    '/api/docs/json',
    {
      config: { access: 'caller' },
      schema: {
        tags,
        summary: 'This description as OpenAPI',
        response: { 200: response('The description.', 'application/json', z.unknown()) },
      },
    },
    async (_request, reply) => reply.serializer(JSON.stringify).send(await services.describe()),
  );

  app.get(
    '/api/docs',
    {
      config: { access: 'caller' },
      schema: {
        tags,
        summary: 'This description as a page',
        response: { 200: response('The page.', 'text/html', z.string()) },
      },
    },
    async (_request, reply) => sendPage(reply, 200, docsPage(await services.describe(), services)),
  );
}
