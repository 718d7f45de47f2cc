// Settings in the app: shows, changes and tries them, and says how the server is doing.
import {
  About,
  BotTrialResult,
  DemoExit,
  DemoExitResult,
  McpTrialResult,
  ParleyError,
  type PersonName,
  type SettingChange,
  SettingsChange,
  SettingsRefusal,
  SettingsTrial,
  SettingsView,
  say,
} from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type AppSettings, SettingsRefused, startsPrograms } from '../../../domain/app-settings.ts';
import type { AuditLog } from '../../../domain/audit-log.ts';
import type { People } from '../../../domain/people.ts';
import type { App } from '../app.ts';
import { answerFailure } from '../errors.ts';
import { responses } from '../openapi/responses.ts';
import type { OpenRequests } from '../streams/open-requests.ts';

export interface SettingsParts {
  readonly settings: AppSettings;
  readonly about: () => Promise<About>;
  /** Starts the server again with its stored settings. */
  readonly restart: () => void;
}

export interface SettingsServices extends SettingsParts {
  readonly people: Pick<People, 'may'>;
  readonly audit: AuditLog;
  readonly requests: OpenRequests;
}

/** An MCP server may take 20 seconds to start. */
const longestTrialMs = 25_000;
const tags = ['settings'];
const reading = { right: 'settings' } as const;
/** A setting can start a program, or let somebody use a bot. */
const changing = { ...reading, grants: true } as const;

export function settingsRoutes(
  app: App,
  { settings, about, restart, people, audit, requests }: SettingsServices,
): void {
  const requirePrograms = (person: PersonName, key: string, value: SettingChange['value']) => {
    if (startsPrograms(key, value) && !people.may(person, 'programs')) throw needsAccount;
  };

  app.get('/api/settings', { config: reading, schema: schema('All settings', SettingsView) }, async () =>
    settings.view(),
  );

  app.patch(
    '/api/settings',
    { config: changing, schema: { ...schema('Change settings', SettingsView), body: SettingsChange } },
    async (request, reply) =>
      orRefusal(request, reply, async () => {
        const { person, ip: address, body } = request;
        for (const { key, value } of body.changes) requirePrograms(person, key, value);
        const view = await settings.change(body.changes);
        for (const { key, value } of body.changes) {
          const detail = value === null ? say`removed` : say`set`;
          audit.record({ action: 'settings.changed', person, subject: key, detail, address });
        }
        return view;
      }),
  );

  app.post(
    '/api/settings/mcp/test',
    { config: changing, schema: { ...schema('Try an MCP server', McpTrialResult), body: SettingsTrial } },
    async (request, reply) =>
      orRefusal(request, reply, () => {
        const { name, value } = request.body;
        requirePrograms(request.person, `mcpServers.${name}`, value);
        return settings.tryMcpServer(request.body, untilLate(reply));
      }),
  );

  app.post(
    '/api/settings/bots/test',
    {
      config: changing,
      schema: { ...schema('Try the token of a bot', BotTrialResult), body: SettingsTrial },
    },
    async (request, reply) =>
      orRefusal(request, reply, () => {
        requirePrograms(request.person, `channels.${request.body.name}`, request.body.value);
        return settings.tryBot(request.body, untilLate(reply));
      }),
  );

  app.post(
    '/api/settings/leave-demo',
    { config: changing, schema: { ...schema('Leave the demo', DemoExitResult), body: DemoExit } },
    async (request, reply) =>
      orRefusal(request, reply, async () => {
        const { person, ip: address, body } = request;
        const left = await settings.leaveDemo(body.apiKey, untilLate(reply));
        if (left.ok) {
          audit.record({
            action: 'settings.changed',
            person,
            subject: body.apiKey === undefined ? 'demo' : 'anthropic.apiKey',
            detail: say`set`,
            address,
          });
          reply.raw.once('close', restart);
        }
        return left;
      }),
  );

  app.get(
    '/api/settings/about',
    { config: reading, schema: schema('This server and its health', About) },
    async () => about(),
  );

  /** Aborts when the trial takes too long, and when its request ends. */
  function untilLate(reply: FastifyReply): AbortSignal {
    return AbortSignal.any([requests.open('json', reply), AbortSignal.timeout(longestTrialMs)]);
  }
}

function schema<Good extends z.ZodType>(summary: string, good: Good) {
  return { tags, summary, response: responses(good, SettingsRefusal) };
}

/** A refusal lists every problem, so that a form can show each where it belongs. */
async function orRefusal<T>(request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SettingsRefused)) throw error;
    const { code, message, problems } = error;
    const refusal: SettingsRefusal = { error: { code, message }, problems: [...problems] };
    answerFailure(request, reply, 400, refusal);
    return reply;
  }
}

const needsAccount = new ParleyError(
  'forbidden',
  'This setting starts programs or lets others in, so it needs an owner with an account. Protect your own account first, or edit parley.config.json.',
);
