// `/api/push`: the devices that get a person's notifications, what they want to hear about, and the answers that
// notifications send back.
import {
  ErrorBody,
  ParleyError,
  type PersonName,
  PushChoices,
  PushLanguage,
  type PushSettings,
  PushState,
} from '@parley/protocol';
import { z } from 'zod';
import type { Gateway } from '../../../domain/gateway.ts';
import type { Push } from '../../../domain/push.ts';
import { toSessionId } from '../../session-id.ts';
import type { App } from '../app.ts';
import { bodyOf, params } from '../openapi/fields.ts';
import { responses } from '../openapi/responses.ts';

export interface PushServices {
  readonly gateway: Gateway;
  readonly push: Push;
}

const tags = ['notifications'];
const response = responses(PushState, ErrorBody);
const endpoint = z.url().max(2_000);
const key = z.string().max(200);
const person = z.string().optional();

const subscribe = {
  tags,
  summary: 'Send notifications to this browser, as long as its login lasts',
  body: z.strictObject(
    { endpoint, keys: z.object({ p256dh: key, auth: key }), language: PushLanguage, person },
    { error: bodyOf('endpoint, keys and language') },
  ),
  response,
};
const unsubscribe = {
  tags,
  summary: 'Send no more notifications to this browser',
  body: z.strictObject({ endpoint, person }, { error: bodyOf('endpoint') }),
  response,
};
const choose = {
  tags,
  summary: 'Choose what the person wants to hear about, and when not',
  body: z.strictObject({ ...PushChoices.shape, person }, { error: bodyOf('kinds and quiet') }),
  response,
};
const decide = {
  tags,
  summary: 'Allow or deny a permission from its notification',
  description:
    'The token came with the notification. `decided` is false if it had no effect: it is late, was used before, or is not valid.',
  body: z.strictObject(
    { token: z.string().max(2_000), behavior: z.enum(['allow', 'deny']) },
    { error: bodyOf('token and behavior') },
  ),
  response: responses(z.object({ decided: z.boolean() }), ErrorBody),
};

export function pushRoutes(app: App, { gateway, push }: PushServices): void {
  const stateWith = (settings: PushSettings) => ({ publicKey: push.publicKey, settings });
  const stateOf = async (name: PersonName) => stateWith(await push.settings(name));

  app.get(
    '/api/push',
    { schema: { tags, summary: 'What the person wants to hear about', response } },
    async (request) => stateOf(request.person),
  );

  app.put('/api/push/settings', { schema: choose }, async ({ person: name, body: { kinds, quiet } }) =>
    stateWith(await push.choose(name, { kinds, quiet })),
  );

  app.put(
    '/api/push/muted/:id',
    { schema: { tags, summary: 'Send no notifications about a session', params, response } },
    async (request) => stateWith(await push.mute(request.person, toSessionId(request.params.id), true)),
  );

  app.delete(
    '/api/push/muted/:id',
    { schema: { tags, summary: 'Send notifications about a session again', params, response } },
    async (request) => stateWith(await push.mute(request.person, toSessionId(request.params.id), false)),
  );

  app.put('/api/push/device', { schema: subscribe }, async ({ person: name, caller, body }) => {
    if (caller?.login === undefined) throw needsLogin;
    const { endpoint: address, keys, language } = body;
    await push.subscribe({ person: name, login: caller.login, endpoint: address, ...keys, language });
    return stateOf(name);
  });

  app.delete('/api/push/device', { schema: unsubscribe }, async ({ person: name, body }) => {
    await push.unsubscribe(name, body.endpoint);
    return stateOf(name);
  });

  app.post(
    '/api/push/decisions',
    // The token is the credential: a notification has to work without a login.
    { config: { access: 'open' }, schema: decide },
    async ({ body: { token, behavior } }) => {
      const wanted = await push.permissionOf(token);
      if (!wanted) return { decided: false };
      const decision = behavior === 'allow' ? ({ behavior, scope: 'once' } as const) : { behavior, message };
      const decided = gateway.decide(wanted.person, wanted.session, wanted.permission, decision);
      // The session may be gone by now, or no longer shared.
      return { decided: await decided.catch(() => false) };
    },
  );
}

const message = 'The person denied this.';
const needsLogin = new ParleyError('conflict', 'Only a browser that is logged in can get notifications.');
