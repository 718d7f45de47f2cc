// Whole servers on one PostgreSQL, each with its own home and machine. In demo mode unless a test says otherwise.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type ParleyClient } from '@parley/client';
import { freePort } from '@parley/stand-ins';
import { afterEach, beforeEach, expect } from 'vitest';
import { type RunningApp, startApp } from '../../src/app.ts';
import { openCredentials } from '../../src/config/credentials.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { LoadedConfig } from '../../src/config/resolve.ts';
import type { Config } from '../../src/config/schema.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { usePostgres } from '../stores/postgres-database.ts';

export const key = 'a-key-for-this-test';
const person = 'sebastian';
export const secretOfAll = 'a long secret of all servers';
export const headers = { 'x-api-key': key, 'x-notes-person': person, 'content-type': 'application/json' };

type Variables = Readonly<Record<string, string>>;

export interface OneOfSeveral extends RunningApp {
  readonly home: string;
}

interface Configured {
  readonly config: Config;
  readonly loaded: LoadedConfig;
  readonly home: string;
}

/** Call it at the top of a test file. Each test gets an empty database, and what it has started is stopped. */
export function useSeveralApps() {
  const postgres = usePostgres();
  let folders: string[];
  let apps: OneOfSeveral[];
  let clients: ParleyClient[];
  let database: string;
  beforeEach(async () => {
    [folders, apps, clients] = [[], [], []];
    database = await postgres().createDatabase();
  });
  afterEach(async () => {
    for (const client of clients) client.close();
    for (const app of apps) await app.close();
    for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function configure(more: Variables = {}): Promise<Configured> {
    const home = await realpath(await mkdtemp(join(tmpdir(), 'parley-several-')));
    folders.push(home);
    const port = await freePort();
    const environment = {
      PARLEY_HOME: home,
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
      folders: { user: home, current: home },
    });
    expect(loaded.problems).toEqual([]);
    return { config: loaded.config, loaded, home };
  }

  const start = async (more?: Variables): Promise<OneOfSeveral> => startWith(await configure(more));

  const startWith = async ({ config, home }: Configured): Promise<OneOfSeveral> => {
    const logger = createLogger({ level: 'silent' });
    const app = await startApp({ config, credentials: await openCredentials(config), logger });
    const one = { ...app, home };
    apps.push(one);
    return one;
  };

  const stop = async (app: OneOfSeveral): Promise<void> => {
    apps = apps.filter((one) => one !== app);
    await app.close();
  };

  const clientOf = (app: RunningApp): ParleyClient => {
    const client = createClient({ baseUrl: app.url, apiKey: key, person: () => person, transport: 'sse' });
    clients.push(client);
    return client;
  };

  return { configure, start, startWith, stop, clientOf };
}

interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** The JSON of an answer, with its status. */
export async function ask<T>(
  app: Pick<RunningApp, 'url'>,
  path: string,
  { method = 'GET', body, as = person }: { method?: string; body?: unknown; as?: string } = {},
): Promise<Answer<T>> {
  const { 'content-type': type, ...own } = { ...headers, 'x-notes-person': as };
  const response = await fetch(`${app.url}${path}`, {
    method,
    headers: body === undefined ? own : { ...own, 'content-type': type },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
}

/** The server-sent events of `/api/notifications`. */
export class Notifications {
  readonly names: string[] = [];
  lastId = '';
  readonly #stop = new AbortController();

  constructor(url: string, after?: string) {
    void this.#read(url, after).catch(() => undefined);
  }

  close(): void {
    this.#stop.abort();
  }

  async #read(url: string, after: string | undefined): Promise<void> {
    const response = await fetch(`${url}/api/notifications`, {
      headers: { ...headers, ...(after !== undefined && { 'last-event-id': after }) },
      signal: this.#stop.signal,
    });
    let text = '';
    for await (const bytes of response.body ?? []) {
      text += new TextDecoder().decode(bytes);
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    this.lastId = field('id') ?? this.lastId;
    const data = field('data');
    const { session_id: session } = (data ? JSON.parse(data) : {}) as { session_id?: string };
    if (session !== undefined) this.names.push(`${field('event')} ${session}`);
  }
}
