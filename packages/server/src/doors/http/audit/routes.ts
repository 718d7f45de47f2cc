// `/api/audit`: who did what, in pages or as one NDJSON file.
import { AuditAction, AuditEntry, ErrorBody } from '@parley/protocol';
import { z } from 'zod';
import { type AuditStore, everyEntry } from '../../../domain/audit-log.ts';
import type { App } from '../app.ts';
import { logFailure } from '../errors.ts';
import { pageLimit } from '../openapi/fields.ts';
import { response, responses } from '../openapi/responses.ts';
import { ClientStream, type ClientStreamOptions, headersOf } from '../streams/client-stream.ts';
import { ndjson } from '../streams/formats.ts';
import { noHead, type OpenRequests } from '../streams/open-requests.ts';

export interface AuditServices {
  readonly entries: Pick<AuditStore, 'search'>;
  readonly requests: OpenRequests;
  readonly stream: ClientStreamOptions;
}

const tags = ['audit'];
const config = { right: 'audit' } as const;
const time = z.coerce.number<string>().optional();

const filters = {
  q: z.string().max(200).optional().describe('Text in the person, subject, detail or address.'),
  by: z.string().max(100).optional().describe('Only what this person did.'),
  action: AuditAction.optional(),
  from: time.describe('From this time on, in milliseconds since 1970.'),
  until: time.describe('Before this time.'),
};
const Filters = z.object(filters);
/** People store this stream in a file, where pings would be in the way. */
const onlyEntries = { ...ndjson, ping: '' };

export function auditRoutes(app: App, { entries, requests, stream }: AuditServices): void {
  app.get(
    '/api/audit',
    {
      config,
      schema: {
        tags,
        summary: 'The audit log, newest first',
        querystring: z.object({
          ...filters,
          limit: pageLimit(200, 50),
          before: z.coerce.number<string>().int().optional().describe('`before` of the previous page.'),
        }),
        response: responses(
          z.object({ entries: z.array(AuditEntry), before: z.int().nullable() }),
          ErrorBody,
        ),
      },
    },
    async ({ query: { limit, before, ...wanted } }) => {
      const page = { limit: limit + 1, ...(before !== undefined && { before }) };
      const found = await entries.search({ ...toQuery(wanted), ...page });
      const shown = found.slice(0, limit);
      return { entries: [...shown], before: found.length > limit ? (shown.at(-1)?.id ?? null) : null };
    },
  );

  app.get(
    '/api/audit/export',
    {
      config,
      schema: {
        tags,
        summary: 'The audit log as NDJSON, newest first',
        querystring: Filters,
        response: {
          ...responses(z.unknown(), ErrorBody),
          200: response('One entry per line.', 'application/x-ndjson', AuditEntry),
        },
      },
      ...noHead,
    },
    async (request, reply) => {
      const signal = requests.open('ndjson', reply);
      reply.header('content-disposition', 'attachment; filename="parley-audit.ndjson"').hijack();
      const lines = new ClientStream(reply.raw, headersOf(reply), onlyEntries, stream);
      try {
        for await (const entry of everyEntry(entries, toQuery(request.query))) {
          signal.throwIfAborted();
          await lines.send(entry);
        }
        lines.end();
      } catch (error) {
        if (!signal.aborted) logFailure(request, error);
        lines.abort();
      }
    },
  );
}

function toQuery({ q, by, action, from, until }: z.infer<typeof Filters>) {
  return {
    ...(q !== undefined && { text: q }),
    ...(by !== undefined && { person: by }),
    ...(action !== undefined && { action }),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
  };
}
