// What this server sees of the cluster. Only other servers may ask: `parley doctor` does it with their secret.
import { ErrorBody, ParleyError } from '@parley/protocol';
import { z } from 'zod';
import { type ClusterHealth, MachineName, ServerLook } from '../../../domain/cluster-health.ts';
import type { App } from '../app.ts';
import { responses } from '../openapi/responses.ts';

export function serverRoutes(app: App, health: ClusterHealth): void {
  const schema = {
    tags: ['operations'],
    summary: 'What this server sees of the others; only for other servers',
    querystring: z.object({ machine: MachineName }),
    response: responses(ServerLook, ErrorBody),
  };
  app.get('/api/servers', { config: { access: 'caller' }, schema }, async ({ caller, query }) => {
    if (!caller?.forwarded)
      throw new ParleyError('forbidden', 'Only other servers may ask this. Run `parley doctor` instead.');
    return health.look(query.machine);
  });
}
