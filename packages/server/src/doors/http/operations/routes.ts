// For operators: health and metrics.
import { ErrorBody, ParleyError } from '@parley/protocol';
import { z } from 'zod';
import { Metrics } from '../../../basics/metrics.ts';
import type { App } from '../app.ts';
import { response } from '../openapi/responses.ts';

const tags = ['operations'];
const notReady = new ParleyError('unavailable', 'This server is not accepting work at the moment.');

export function operationsRoutes(app: App, metrics: Metrics, isReady: () => boolean): void {
  app.get(
    '/healthz',
    {
      config: { access: 'open' },
      schema: {
        tags,
        summary: 'Whether the server is ready; needs no credentials',
        security: [],
        response: { 200: response('Ready.', 'application/json', z.object({ status: z.literal('ok') })) },
      },
    },
    async () => ({ status: 'ok' as const }),
  );

  app.get(
    '/readyz',
    {
      config: { access: 'open' },
      schema: {
        tags,
        summary: 'Whether the server accepts work, for a load balancer; needs no credentials',
        security: [],
        response: {
          200: response('It does.', 'application/json', z.object({ status: z.literal('ready') })),
          503: response(
            'It is starting or stopping, or has lost its database.',
            'application/json',
            ErrorBody,
          ),
        },
      },
    },
    async () => {
      if (!isReady()) throw notReady;
      return { status: 'ready' as const };
    },
  );

  app.get(
    '/metrics',
    {
      config: { access: 'caller' },
      schema: {
        tags,
        summary: 'Metrics in the Prometheus text format',
        response: { 200: response('The metrics.', 'text/plain', z.string()) },
      },
    },
    async (_request, reply) => {
      const text = await metrics.text();
      return reply.type(Metrics.contentType).serializer(String).send(text);
    },
  );
}
