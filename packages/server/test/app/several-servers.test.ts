// Two whole servers on one PostgreSQL, in demo mode, as a proxy in front of them would use them.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type ParleyClient } from '@parley/client';
import type { ChatResponse, Envelope } from '@parley/protocol';
import { freePort } from '@parley/stand-ins';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStores } from '../../src/app/stores.ts';
import { type RunningApp, startApp } from '../../src/app.ts';
import { servers } from '../../src/cli/checks/servers.ts';
import { examine } from '../../src/cli/doctor.ts';
import { openCredentials } from '../../src/config/credentials.ts';
import { settingsFile } from '../../src/config/files.ts';
import { LiveConfig } from '../../src/config/live-config.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { LoadedConfig } from '../../src/config/resolve.ts';
import type { SettingsStore } from '../../src/domain/app-settings.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { usePostgres } from '../stores/postgres-database.ts';

const postgres = usePostgres();
const key = 'a-key-for-this-test';
const person = 'sebastian';
const secretOfAll = 'a long secret of all servers';
const patience = { timeout: 100_000 };
const headers = { 'x-api-key': key, 'x-notes-person': person, 'content-type': 'application/json' };

let folders: string[];
let apps: RunningApp[];
let clients: ParleyClient[];
let database: string;
beforeEach(async () => {
  [folders, apps, clients] = [[], [], []];
  database = await postgres().createDatabase();
});
afterEach(async () => {
  for (const client of clients) client.close();
  for (const app of apps) await app.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function configure(more: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-several-'));
  folders.push(folder);
  const port = await freePort();
  const environment = {
    PARLEY_HOME: folder,
    PARLEY_PORT: String(port),
    PARLEY_DEMO: '1',
    PARLEY_API_KEY: key,
    PARLEY_DATABASE_URL: database,
    PARLEY_SERVER_URL: `http://127.0.0.1:${port}`,
    PARLEY_CLUSTER_SECRET: secretOfAll,
    ...more,
  };
  const loaded = loadConfig({
    environment,
    flags: {},
    folders: { user: folder, current: folder },
  });
  expect(loaded.problems).toEqual([]);
  return { config: loaded.config, loaded };
}

async function start(more?: Readonly<Record<string, string>>): Promise<RunningApp> {
  const { config } = await configure(more);
  const logger = createLogger({ level: 'silent' });
  const app = await startApp({ config, credentials: await openCredentials(config), logger });
  apps.push(app);
  return app;
}

function clientOf(app: RunningApp): ParleyClient {
  const client = createClient({ baseUrl: app.url, apiKey: key, person: () => person, transport: 'sse' });
  clients.push(client);
  return client;
}

async function chat(app: RunningApp, message: string, session?: string): Promise<ChatResponse> {
  const body = JSON.stringify({ message, ...(session !== undefined && { session_id: session }) });
  const response = await fetch(`${app.url}/api/claude/chat`, { method: 'POST', headers, body });
  return (await response.json()) as ChatResponse;
}

describe('two servers on one database', () => {
  it('answer in the same conversation, and show the same events [cluster.any-server.app]', async () => {
    const [a, b] = [await start(), await start()];
    const [throughA, throughB] = [clientOf(a), clientOf(b)];
    const first = await chat(a, 'Hello');
    expect(first.success).toBe(true);
    const id = first.session_id;
    // A reader keeps the session on the first server.
    const seen: Envelope[] = [];
    const stop = new AbortController();
    const reading = (async () => {
      for await (const one of throughA.subscribe(id, { after: 0, signal: stop.signal })) seen.push(one);
    })();
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), patience);
    const second = await chat(b, 'Hello again', id);
    expect(second).toMatchObject({ success: true, session_id: id });
    expect(second.history).toHaveLength(4);
    const receipt = await throughB.sessions.prompt(id, { text: 'And again', images: [] }, { key: 'third' });
    await vi.waitFor(
      () =>
        expect(seen.some((one) => one.turnId === receipt.turnId && one.event.type === 'turn.ended')).toBe(
          true,
        ),
      patience,
    );
    stop.abort();
    await reading;
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
    const list = await throughB.sessions.list();
    expect(list.sessions.map((session) => session.id)).toContain(id);
    const metrics = await (await fetch(`${b.url}/metrics`, { headers })).text();
    expect(metrics).toMatch(/parley_forwarded_calls_total\{call="prompt"\} [1-9]/);
    expect(metrics).toMatch(/parley_servers 2/);
  }, 180_000);

  it('hand over sessions and readers when one of them stops [cluster.drain.app]', async () => {
    const [a, b] = [await start(), await start()];
    expect((await fetch(`${a.url}/readyz`)).status).toBe(200);
    const { session_id: id } = await chat(a, 'Hello');
    const seen: Envelope[] = [];
    const stop = new AbortController();
    const reading = (async () => {
      for await (const one of clientOf(b).subscribe(id, { after: 0, signal: stop.signal })) seen.push(one);
    })();
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0), patience);
    apps = apps.filter((app) => app !== a);
    await a.close();
    expect((await chat(b, 'Still there?', id)).history).toHaveLength(4);
    await vi.waitFor(
      () => expect(seen.filter(({ event }) => event.type === 'turn.ended')).toHaveLength(2),
      patience,
    );
    stop.abort();
    await reading;
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
  }, 180_000);

  it('are checked by the doctor [cluster.doctor.servers]', async () => {
    await start();
    const found = async (secret: string) => {
      const { config } = await configure({ PARLEY_CLUSTER_SECRET: secret });
      const check = servers(async () => {
        const stores = await openStores(config);
        return stores.servers && { servers: stores.servers, close: () => stores.close() };
      });
      const findings = await examine({ config } as LoadedConfig, [check]);
      return findings.map(({ detail }) => detail);
    };
    expect(await found(secretOfAll)).toEqual([
      'the clocks of this machine and the database agree',
      expect.stringMatching(/ answers at http:\/\/127\.0\.0\.1:\d+$/),
      expect.stringMatching(/ does not have the same notes as this server$/),
    ]);
    expect((await found('a long secret of others'))[1]).toMatch(/ refuses requests from this server$/);
  }, 180_000);

  it('have the same settings, wherever somebody changes them [cluster.settings.shared]', async () => {
    const live = async (settings: SettingsStore | undefined) => {
      const { loaded } = await configure();
      const one = new LiveConfig(loaded, { learnSecrets: () => undefined, logger: silentLogger });
      if (settings) await one.share(settings);
      return one;
    };
    const stores = await openStores((await configure()).config);
    onTestFinished(() => stores.close());
    const shared = stores.settings;
    const [a, b] = [await live(shared), await live(shared)];
    const applied: string[] = [];
    b.onChange(({ model }) => void applied.push(model));
    await a.change([{ key: 'model', value: 'model-of-a', revision: 0 }]);
    // It has not heard of the change yet.
    const late = b.change([{ key: 'model', value: 'model-of-b', revision: 0 }]);
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    expect([b.current.model, applied]).toEqual(['model-of-a', ['model-of-a']]);
    await b.change([{ key: 'caution', value: 'strict', revision: 0 }]);
    await a.change([{ key: 'log.level', value: 'warn', revision: 0 }]);
    expect(a.current.caution).toBe('strict');
    expect((await live(shared)).current).toMatchObject({ model: 'model-of-a', caution: 'strict' });
    expect(JSON.parse(await readFile(settingsFile(a.current), 'utf8'))).toMatchObject({ revision: 3 });
  }, 60_000);

  it('need a secret and an address [cluster.secret.missing]', async () => {
    await start({ PARLEY_CLUSTER_SECRET: '', PARLEY_SERVER_URL: '' });
    await expect(start()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('PARLEY_CLUSTER_SECRET'),
    });
  }, 180_000);
});
