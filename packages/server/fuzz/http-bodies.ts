// Sends request bodies to a whole server: whatever they contain, it never answers with a 5xx.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noFallback, reply, say, startAnthropicStandIn } from '@parley/stand-ins';
import { fuzz } from '../../../fuzz/fuzz.ts';
import { startApp } from '../src/app.ts';
import { openCredentials } from '../src/config/credentials.ts';
import { loadConfig } from '../src/config/load.ts';
import { createLogger } from '../src/logging/logger.ts';

/** Left out, because these would start programs or connect to other machines. */
const leavesTheServer = /^\/api\/settings|\/changes\/remote\//;

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $ref?: string;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const { paths, components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const oddValues = ['null', '[]', '{}', '""', '-1', '0', '1e999', 'true', '"\\ud800"', '"\\u0000"', '"../.."'];

/** By method and path. */
const examples = new Map<string, string>(
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      if (!schema || leavesTheServer.test(path)) return [];
      return [[`${method.toUpperCase()} ${path}`, JSON.stringify(exampleOf(schema))] as const];
    }),
  ),
);

const home = mkdtempSync(join(tmpdir(), 'parley-fuzz-'));
const model = await startAnthropicStandIn({ fallback: noFallback });
model.script(() => true).always(reply(say('Yes.')));
const key = 'fuzz-key-fuzz-key-fuzz-key';
const many = 1_000_000_000;
const { config } = loadConfig({
  environment: {
    PARLEY_HOME: home,
    PARLEY_PORT: '0',
    PARLEY_API_KEY: key,
    PARLEY_PEOPLE: 'ada,bob',
    PARLEY_VAULT_ROOT: join(home, 'notes'),
    PARLEY_DEMO: '0',
    ANTHROPIC_API_KEY: 'stand-in',
    ANTHROPIC_BASE_URL: model.url,
  },
  flags: {},
  folders: { user: home, current: home },
});
const app = await startApp({
  config: { ...config, limits: { ...config.limits, requestsPerMinute: many, totalRequestsPerMinute: many } },
  credentials: await openCredentials(config),
  logger: createLogger({ level: 'silent' }),
});

try {
  const created = await send('POST', '/api/sessions', '{"assistant":"notes"}');
  const { id } = (await created.json()) as { readonly id: string };
  await fuzz({
    name: 'http-bodies',
    seeds: [...examples].map(([route, body]) => `${route}\n${body}`),
    words: [...new Set([...examples.values()].join().match(/"\w+":?/g)), ...oddValues, `"${id}"`],
    async check(input) {
      const [, route = '', body = ''] = /^(.*)\n([^]*)$/.exec(input.toString()) ?? [];
      if (!examples.has(route)) return;
      const [method = '', path = ''] = route.split(' ');
      const response = await send(method, path.replace('{id}', id).replaceAll(/{\w+}/g, 'x'), body);
      const answer = await response.text();
      if (response.status >= 500) throw new Error(`${response.status} ${answer}`);
    },
  });
} finally {
  await app.close();
  await model.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

function send(method: string, path: string, body: string): Promise<Response> {
  const headers = { 'x-api-key': key, 'x-notes-person': 'ada', 'content-type': 'application/json' };
  return fetch(app.url + path, { method, headers, body });
}

/** A value that the schema allows, including all optional fields. */
function exampleOf(given: Schema): unknown {
  const schema = components.schemas[given.$ref?.split('/').at(-1) ?? ''] ?? given;
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice) return exampleOf(choice);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, field]) => [name, exampleOf(field)]),
      );
    case 'array':
      return [exampleOf(schema.items ?? {})];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return 'bob';
  }
}
