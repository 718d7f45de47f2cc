// For owners whose server has a problem: what is logged, and a report for somebody who helps.
import { ErrorBody, LogLevelChange, LogLevelState, SupportReport } from '@parley/protocol';
import type { Support } from '../../../domain/support.ts';
import type { App } from '../app.ts';
import { responses } from '../openapi/responses.ts';

const tags = ['operations'];
const config = { right: 'settings' } as const;

export function supportRoutes(app: App, support: Support): void {
  app.get(
    '/api/support',
    {
      config,
      schema: {
        tags,
        summary: 'A report about this server for somebody who helps, without secrets',
        response: responses(SupportReport, ErrorBody),
      },
    },
    async () => support.report(),
  );

  app.get(
    '/api/log-level',
    { config, schema: { tags, summary: 'What is logged', response: responses(LogLevelState, ErrorBody) } },
    async () => support.levels(),
  );

  app.put(
    '/api/log-level',
    {
      config,
      schema: {
        tags,
        summary: 'Log more or less until the server restarts',
        body: LogLevelChange,
        response: responses(LogLevelState, ErrorBody),
      },
    },
    async ({ body, person, ip: address }) => support.changeLevel(body.level, { person, address }),
  );
}
