// For operators: metrics, the API description, and how failures are logged.
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type LogFields, type Logger, silentLogger } from '../../../src/domain/logger.ts';
import type { OpenId } from '../../../src/domain/openid.ts';
import type { Support } from '../../../src/domain/support.ts';
import { renderOpenApi } from '../../../src/doors/http/openapi/document.ts';
import type { SettingsParts } from '../../../src/doors/http/settings/routes.ts';
import { type DoorHarness, key, startDoor } from './door-harness.ts';

/** What Grafana needs of a dashboard. */
const Dashboard = z.object({
  title: z.string(),
  uid: z.string(),
  schemaVersion: z.int(),
  panels: z
    .array(
      z.object({
        id: z.int(),
        title: z.string(),
        type: z.enum(['timeseries', 'stat']),
        gridPos: z.object({ x: z.int().max(23), y: z.int(), w: z.int().max(24), h: z.int() }),
        targets: z.array(z.object({ refId: z.string(), expr: z.string().min(1) })).min(1),
      }),
    )
    .min(1),
  templating: z.object({
    list: z.array(
      z.object({ name: z.string(), query: z.union([z.string(), z.object({ query: z.string() })]) }),
    ),
  }),
});

describe('GET /metrics', () => {
  it('counts turns, tokens, cost and latencies', async () => {
    const door = await startDoor();
    door.engine.scripts.set('count me', async function* () {
      yield {
        type: 'usage',
        model: 'scripted',
        usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 2, costUsd: 0.25 },
      };
      yield { type: 'text.delta', text: 'done' };
    });
    door.engine.scripts.set('fail', async function* () {
      yield { type: 'failed', code: 'unavailable', message: 'Out.', recoverable: true };
    });
    for (const message of ['count me', 'count me', 'fail']) {
      await (await door.post('/api/claude/chat', { message })).text();
    }

    const response = await door.fetch('/metrics');
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const lines = (await response.text()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'parley_turns_total{engine="messages-api",door="programs",outcome="completed"} 2',
        'parley_turns_total{engine="messages-api",door="programs",outcome="failed"} 1',
        'parley_tokens_total{engine="messages-api",kind="input"} 20',
        'parley_tokens_total{engine="messages-api",kind="output"} 10',
        'parley_tokens_total{engine="messages-api",kind="cache_read"} 6',
        'parley_tokens_total{engine="messages-api",kind="cache_write"} 4',
        'parley_cost_usd_total{engine="messages-api"} 0.5',
        'parley_turn_duration_seconds_count{engine="messages-api"} 3',
        'parley_first_token_seconds_count{engine="messages-api"} 2',
        '# TYPE process_cpu_seconds_total counter',
        'parley_open_streams{wire="json"} 0',
        'parley_open_streams{wire="ndjson"} 0',
        'parley_build_info{version="1.2.3",demo="true"} 1',
      ]),
    );
    expect(
      Number(lines.find((line) => line.startsWith('process_resident_memory_bytes '))?.split(' ')[1]),
    ).toBeGreaterThan(1e6);
    await door.stop();
  });

  it('has every metric of the dashboard that Parley ships [ops.dashboard]', async () => {
    const file = new URL('../../../../../deploy/dashboard.json', import.meta.url);
    const { panels, templating } = Dashboard.parse(JSON.parse(readFileSync(file, 'utf8')));
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const variables = templating.list.map(({ query }) => (typeof query === 'string' ? query : query.query));
    const used = [...expressions, ...variables].flatMap(
      (text) => text.match(/\b(?:parley|process|nodejs)_\w+/g) ?? [],
    );
    expect(expressions.filter((text) => !used.some((name) => text.includes(name)))).toEqual([]);

    const door = await startDoor();
    const text = await (await door.fetch('/metrics')).text();
    const known = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    );
    expect(known).toEqual(expect.arrayContaining(used));
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    await door.stop();
  });
});

describe('GET /healthz', () => {
  it('waits until the server is ready', async () => {
    const port = await freePort();
    const order: string[] = [];
    let health: Promise<number> | undefined;
    const door = await startDoor({
      port,
      prepare: async () => {
        health = fetch(`http://127.0.0.1:${port}/healthz`).then(({ status }) =>
          order.push(`answered ${status}`),
        );
        await setTimeout(200);
        order.push('prepared');
      },
    });
    await health;
    expect(order).toEqual(['prepared', 'answered 200']);
    await door.stop();
  });
});

describe('the API description', () => {
  let door: DoorHarness;
  beforeAll(async () => {
    door = await startDoor({ openId: {} as OpenId, settings: {} as SettingsParts, support: {} as Support });
  });
  afterAll(() => door.stop());

  it('explains parameters and fields, and so does its page', async () => {
    const json = await (await door.fetch('/api/docs/json')).text();
    const page = await (await door.fetch('/api/docs')).text();
    for (const text of [
      'Makes the request idempotent',
      'Optional if there is an image or a file.',
      'Absent on the last page.',
      'The conversation id is in the response header X-Conversation-Id, and in `done`.',
    ]) {
      expect(json).toContain(text);
      expect(page).toContain(text);
    }
  });

  it('lists every route of the router [notes.door.openapi]', async () => {
    const document = (await (await door.fetch('/api/docs/json')).json()) as OpenApi;
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = door.door.routes
      .filter(({ method }) => method !== 'HEAD')
      // OpenAPI writes parameters in braces.
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(described.sort()).toEqual(routes.sort());
  });

  it('matches docs/openapi.json [notes.door.openapi]', async () => {
    const published = readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8');
    expect(await renderOpenApi()).toBe(published);
    expect(await (await door.fetch('/api/docs/json')).json()).toEqual(JSON.parse(published));
  });

  it('is a page without scripts or other files', async () => {
    const response = await door.fetch('/api/docs');
    const html = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; base-uri 'none'/,
    );
    expect(html).toContain('<code>/api/claude/chat-stream</code>');
    expect(html).toContain('This is a demo');
    expect(html).not.toMatch(/<script|https?:\/\/|src=/);
  });
});

describe('the log', () => {
  it('records the details of a failure with the request id, and never the key', async () => {
    const lines: LogFields[] = [];
    const logger: Logger = { ...silentLogger, error: (fields) => lines.push(fields), child: () => logger };
    const door = await startDoor({
      logger,
      credentials: ({ apiKey }) => {
        if (apiKey === 'breaks') throw new Error('the details');
        return apiKey === key ? { label: 'all' } : undefined;
      },
    });
    const response = await door.fetch('/metrics', { headers: { 'x-api-key': 'breaks' } });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: {
        code: 'internal',
        message: 'Something went wrong inside Parley. The server log has the details.',
      },
    });
    expect(lines).toEqual([
      {
        err: expect.objectContaining({ message: 'the details' }),
        requestId: response.headers.get('x-request-id'),
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('breaks');
    await door.stop();
  });

  it('records an expected failure as one sentence', async () => {
    const warnings: LogFields[] = [];
    const errors: LogFields[] = [];
    const logger: Logger = {
      ...silentLogger,
      warn: (fields) => warnings.push(fields),
      error: (fields) => errors.push(fields),
      child: () => logger,
    };
    const door = await startDoor({ logger });
    door.engine.scripts.set('fail', async function* () {
      yield { type: 'failed', code: 'unavailable', message: 'The model is out.', recoverable: true };
    });
    const response = await door.post('/api/claude/chat', { message: 'fail' });
    expect(response.status).toBe(503);
    const requestId = response.headers.get('x-request-id');
    expect(warnings).toEqual([{ requestId, error: 'unavailable', reason: 'The model is out.' }]);
    expect(errors).toEqual([]);
    await door.stop();
  });
});

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
