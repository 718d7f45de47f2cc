// A conversation as a file. Whoever may read it may export it.
import { Readable } from 'node:stream';
import { toSessionId } from '../../session-id.ts';
import type { App } from '../app.ts';
import { asDownload } from '../download.ts';
import { onMachine } from '../sessions/routes.ts';
import { type ExportServices, loadHtmlExport, openConversation, rendered } from './conversation.ts';
import { type ExportFormat, exportPolicy } from './format.ts';
import { jsonExport } from './json.ts';
import { markdownExport } from './markdown.ts';
import { selected } from './read-items.ts';
import * as schemas from './schemas.ts';
import { exportWords } from './words.ts';

const formats: Readonly<Record<schemas.ExportFormatName, () => Promise<ExportFormat>>> = {
  md: async () => markdownExport,
  json: async () => jsonExport,
  html: loadHtmlExport,
};

export function exportRoutes(app: App, services: ExportServices): void {
  app.get(
    '/api/sessions/:id/export',
    { config: onMachine, schema: schemas.exportSession },
    async (request, reply) => {
      const { actor, params, query } = request;
      const format = await formats[query.format]();
      const words = exportWords[query.language];
      const { head, items } = await openConversation(services, actor, toSessionId(params.id), words);
      const wanted = new Set(query.turns?.split(',').filter((id) => id !== ''));
      const text = rendered(format, head, selected(items, wanted));
      if (query.show) reply.header('content-security-policy', exportPolicy);
      else reply.header('content-disposition', asDownload(`${head.title.slice(0, 80)}.${format.ending}`));
      return reply.type(format.type).send(Readable.from(text));
    },
  );
}
