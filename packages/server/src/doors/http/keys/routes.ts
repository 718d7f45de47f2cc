// `/api/keys`: API keys that people make for their programs. The secret is shown once.
import { ApiKeyInfo, CreatedApiKey, ErrorBody, ParleyError, PersonName } from '@parley/protocol';
import { z } from 'zod';
import type { AuditLog } from '../../../domain/audit-log.ts';
import type { People } from '../../../domain/people.ts';
import type { App } from '../app.ts';
import { bodyOf, mustBeString } from '../openapi/fields.ts';
import { noContent, responses } from '../openapi/responses.ts';
import { noSuchPerson } from '../policy/person.ts';
import type { RunTimeKeys } from '../policy/run-time-keys.ts';
import { describeKey, toKeyInfo } from './key-info.ts';

export interface KeyServices {
  readonly keys: RunTimeKeys;
  readonly people: People;
  readonly assistants: () => readonly { readonly name: string }[];
  readonly audit: AuditLog;
}

const tags = ['keys'];
/** Otherwise a limited key could make one without limits. */
const config = { grants: true } as const;

const NewKey = z.strictObject(
  {
    label: z.string(mustBeString('label')).trim().min(1, '`label` is empty.').max(100),
    for: PersonName.optional().describe('The person it acts for; you, if absent.'),
    assistants: z
      .array(z.string())
      .min(1)
      .max(100)
      .optional()
      .describe('The only assistants it may use; `claude-code` counts as one.'),
    readOnly: z.boolean().default(false),
    expiresAt: z.number().optional().describe('In milliseconds since 1970.'),
    person: z.string().optional(),
  },
  { error: bodyOf('label, for, assistants, readOnly and expiresAt') },
);

export function keyRoutes(app: App, services: KeyServices): void {
  const { keys, people, audit, assistants } = services;

  app.get(
    '/api/keys',
    {
      schema: {
        tags,
        summary: 'Your API keys; with the right `keys`, those of everybody',
        response: responses(z.object({ keys: z.array(ApiKeyInfo) }), ErrorBody),
      },
    },
    async ({ person }) => ({
      keys: keys
        .list()
        .filter((key) => key.person === person || people.may(person, 'keys'))
        .map(toKeyInfo),
    }),
  );

  app.post(
    '/api/keys',
    {
      config,
      schema: {
        tags,
        summary: 'Make an API key; the response is the only one with the secret',
        body: NewKey,
        response: { ...responses(CreatedApiKey, ErrorBody), 201: CreatedApiKey },
      },
    },
    async (request, reply) => {
      const { person, body } = request;
      const owner = body.for ?? person;
      if (owner !== person && (!people.may(person, 'keys') || !people.has(owner))) throw noSuchPerson;
      // Not even an owner can act for somebody with an account.
      if (owner !== person && people.hasAccount(owner)) throw onlyThemselves;
      const wanted = {
        label: body.label,
        person: owner,
        readOnly: body.readOnly,
        createdBy: person,
        ...(body.assistants && { assistants: body.assistants }),
        ...(body.expiresAt !== undefined && { expiresAt: body.expiresAt }),
      };
      const { key, secret } = await keys.create(
        wanted,
        assistants().map(({ name }) => name),
      );
      audit.record({
        action: 'key.created',
        person,
        subject: key.label,
        detail: describeKey(key),
        address: request.ip,
      });
      return reply.code(201).send({ key: toKeyInfo(key), secret });
    },
  );

  app.delete(
    '/api/keys/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Revoke an API key; ends its streams at once',
        params: z.object({ id: z.string().max(64) }),
        response: noContent,
      },
    },
    async (request, reply) => {
      const { person } = request;
      const key = keys.find(request.params.id);
      const isTheirs = key?.person === person || people.may(person, 'keys');
      if (!key || !isTheirs) throw new ParleyError('not_found', 'There is no such key.');
      await keys.revoke(key.id);
      audit.record({
        action: 'key.revoked',
        person,
        subject: key.label,
        detail: describeKey(key),
        address: request.ip,
      });
      return reply.code(204).send(null);
    },
  );
}

const onlyThemselves = new ParleyError(
  'forbidden',
  'This person has an account, so only they can make keys for themselves.',
);
