// The live connection of a page: one WebSocket for all its sessions, because browsers limit connections to a host.
import { ErrorBody } from '@parley/protocol';
import { z } from 'zod';
import type { SocketHandler } from '../../socket-request.ts';
import type { App } from '../app.ts';
import { person } from '../openapi/fields.ts';
import { responses } from '../openapi/responses.ts';
import { noHead, type OpenRequests } from '../streams/open-requests.ts';
import type { Upgrades } from '../upgrades.ts';

export interface LiveServices {
  readonly upgrades: Pick<Upgrades, 'route'>;
  readonly requests: OpenRequests;
  readonly handler: SocketHandler;
}

/** Pages only send ids of sessions here. */
const longestMessage = 64 * 1024;

const schema = {
  tags: ['sessions'],
  summary: 'WebSocket of a page: subscriptions to any of its sessions, notifications and presence',
  description:
    'The page sends `subscribe {session, after?}`, `unsubscribe {session}` and `presence {visible}`. It gets `subscribed`, `event {envelope}`, `ended`, `notification`, `presence` and `error`.',
  querystring: z.object({ person }),
  response: {
    ...responses(z.null(), ErrorBody),
    101: z.null().describe('The connection is a WebSocket now.'),
  },
};

export function liveRoutes(app: App, { upgrades, requests, handler }: LiveServices): void {
  app.get('/api/live', { schema, ...noHead }, upgrades.route(requests, handler, longestMessage));
}
