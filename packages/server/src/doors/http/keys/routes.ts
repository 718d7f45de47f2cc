// `/api/keys`: API keys that people make for their programs. The secret is shown once.
import { ApiKeyInfo, CreatedApiKey, ErrorBody, ParleyError, PersonName } from '@parley/protocol';
import { z } from 'zod';
import { claudeCode } from '../../../domain/access.ts';
import type { ApiKey } from '../../../domain/accounts.ts';
import type { AuditLog } from '../../../domain/audit-log.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { People } from '../../../domain/people.ts';
import type { App } from '../app.ts';
import { answers, nothing } from '../openapi/answers.ts';
import { bodyOf, mustBeString } from '../openapi/fields.ts';
import { noSuchPerson } from '../policy/person.ts';
import { describeKey, type RunTimeKeys } from '../policy/run-time-keys.ts';

export interface KeyServices {
  readonly keys: RunTimeKeys;
  readonly people: People;
  readonly assistants: () => readonly { readonly name: string }[];
  readonly audit: AuditLog;
  readonly clock: Clock;
}

const tags = ['keys'];
/** Otherwise a limited key could make one without limits. */
const config = { grants: true } as const;
/** More than anybody needs, and few enough to keep in memory. */
const mostKeys = 100;

const NewKey = z.strictObject(
  {
    label: z.string(mustBeString('label')).trim().min(1, '`label` is empty.').max(100),
    for: PersonName.optional().describe('The person it acts for. If absent: you.'),
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
  const { keys, people, audit, clock } = services;

  app.get(
    '/api/keys',
    {
      schema: {
        tags,
        summary: 'Your API keys; with the right `keys`, those of everybody',
        response: answers(z.object({ keys: z.array(ApiKeyInfo) }), ErrorBody),
      },
    },
    async ({ person }) => ({
      keys: keys
        .list()
        .filter((key) => key.person === person || people.may(person, 'keys'))
        .map(toInfo),
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
        response: { ...answers(CreatedApiKey, ErrorBody), 201: CreatedApiKey },
      },
    },
    async (request, reply) => {
      const { person, body } = request;
      const owner = body.for ?? person;
      if (owner !== person && (!people.may(person, 'keys') || !people.has(owner))) throw noSuchPerson;
      // Not even an owner can act for somebody with an account.
      if (owner !== person && people.hasAccount(owner)) throw onlyThemselves;
      checkAssistants(body.assistants);
      if (body.expiresAt !== undefined && body.expiresAt <= clock.now()) throw alreadyExpired;
      if (keys.list().filter((key) => key.person === owner).length >= mostKeys) throw tooMany;
      const { key, secret } = await keys.create({
        label: body.label,
        person: owner,
        readOnly: body.readOnly,
        createdBy: person,
        ...(body.assistants && { assistants: body.assistants }),
        ...(body.expiresAt !== undefined && { expiresAt: body.expiresAt }),
      });
      audit.record({
        action: 'key.created',
        person,
        subject: key.label,
        detail: describeKey(key),
        address: request.ip,
      });
      return reply.code(201).send({ key: toInfo(key), secret });
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
        response: nothing,
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

  function checkAssistants(wanted: readonly string[] = []): void {
    const known = [...services.assistants().map(({ name }) => name), claudeCode];
    const unknown = wanted.find((name) => !known.includes(name));
    if (unknown === undefined) return;
    throw new ParleyError('invalid', `There is no such assistant here. Choose from: ${known.join(', ')}.`);
  }
}

function toInfo(key: ApiKey): ApiKeyInfo {
  return {
    id: key.id,
    label: key.label,
    for: key.person,
    assistants: key.assistants ? [...key.assistants] : null,
    readOnly: key.readOnly,
    createdBy: key.createdBy ?? null,
    createdAt: key.createdAt,
    expiresAt: key.expiresAt ?? null,
    lastUsedAt: key.lastUsedAt ?? null,
  };
}

const onlyThemselves = new ParleyError(
  'forbidden',
  'This person has an account, so only they can make keys for themselves.',
);
const alreadyExpired = new ParleyError('invalid', '`expiresAt` is not in the future.');
const tooMany = new ParleyError(
  'conflict',
  `One person can have at most ${mostKeys} keys. Revoke some first.`,
);
