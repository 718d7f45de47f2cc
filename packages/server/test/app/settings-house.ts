// A server process with a scripted model, whose settings a test changes over HTTP.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  SettingChange,
  SettingEntry,
  SettingState,
  SettingsRefusal,
  SettingsView,
} from '@parley/protocol';
import { type AnthropicStandIn, noFallback, startAnthropicStandIn } from '@parley/stand-ins';
import { expect, onTestFinished } from 'vitest';
import { makePrivateFolder } from '../../src/config/files.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { freshPlace, type Place, parley } from '../cli/parley-process.ts';

export const oddServer = fileURLToPath(new URL('../tools/mcp/programs/odd-server.mjs', import.meta.url));
const apiKey = 'parley-key-of-the-tests';
export const keyOf = (person: string) => `parley-key-of-${person}`;
const owners = ['anna', 'ben'];

/** An MCP server of the test, as an entry of `mcpServers`. Only the household writes what it returns. */
export function odd(...args: string[]) {
  return { command: process.execPath, args: [oddServer, ...args], trusted: true };
}

export interface SettingsHouse {
  readonly anthropic: AnthropicStandIn;
  readonly place: Place;
  /** Where the app stores its settings. */
  readonly file: string;
  readonly stored: () => Record<string, { value: unknown; revision: number }>;
  readonly start: (env?: Record<string, string>) => Promise<Server>;
  readonly run: Place['run'];
}

export interface Server {
  readonly url: string;
  readonly program: Awaited<ReturnType<Place['serve']>>['program'];
  readonly request: (method: string, path: string, body?: unknown, person?: string) => Promise<Response>;
  readonly view: () => Promise<SettingsView>;
  readonly state: (key: string) => Promise<SettingState>;
  readonly entry: (collection: string, name: string) => Promise<SettingEntry | undefined>;
  /** Changes settings that nobody else has changed, and expects success. */
  readonly set: (values: Record<string, SettingChange['value']>) => Promise<SettingsView>;
  /** The same, and expects a refusal. */
  readonly refused: (
    values: Record<string, SettingChange['value']>,
  ) => Promise<SettingsRefusal & { readonly status: number }>;
  readonly chat: (message: string, person?: string) => Promise<string>;
}

/** Anna and Ben are owners with accounts, unless there are none: then it is a household. */
export async function settingsHouse(
  config: object = {},
  { hasAccounts = true }: { readonly hasAccounts?: boolean } = {},
): Promise<SettingsHouse> {
  const place = freshPlace(parley);
  const anthropic = await startAnthropicStandIn({ fallback: noFallback });
  onTestFinished(() => anthropic.close());
  writeFileSync(
    join(place.user, 'parley.config.json'),
    JSON.stringify({
      people: owners,
      caution: 'off',
      vaultRoot: '~/notes',
      apiKeys: hasAccounts ? owners.map((person) => ({ person, key: keyOf(person) })) : [],
      ...config,
    }),
  );
  if (hasAccounts) await makeAccounts(join(place.user, '.parley'));
  const environment = {
    ANTHROPIC_API_KEY: 'stand-in-key',
    ANTHROPIC_BASE_URL: anthropic.url,
    PARLEY_API_KEY: apiKey,
    IS_SANDBOX: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
  };
  const file = join(place.user, '.parley', 'settings.json');
  return {
    anthropic,
    place,
    file,
    stored: () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).settings : {}),
    async start(env = {}) {
      const { url, program } = await place.serve([], { ...environment, ...env });
      return server(url, program, hasAccounts);
    },
    run: (args) => place.run(args, environment),
  };
}

async function makeAccounts(home: string): Promise<void> {
  await makePrivateFolder(home);
  const store = await openSqliteStore({ file: join(home, 'parley.db') });
  for (const person of owners)
    await store.accounts.create({ person, role: 'owner', assistants: [], createdAt: 1 }, {});
  await store.close();
}

function server(url: string, program: Server['program'], hasAccounts: boolean): Server {
  const request: Server['request'] = (method, path, body, person = 'anna') =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        'x-api-key': hasAccounts ? keyOf(person) : apiKey,
        'x-notes-person': person,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const view = async () => {
    const response = await request('GET', '/api/settings');
    expect(response.status).toBe(200);
    return (await response.json()) as SettingsView;
  };
  const change = async (values: Record<string, SettingChange['value']>) => {
    const { settings, ignored } = await view();
    const revisions = new Map(
      settings.flatMap(({ key, revision, entries }) => [
        [key, revision] as const,
        ...(entries ?? []).map((entry) => [`${key}.${entry.name}`, entry.revision] as const),
      ]),
    );
    for (const { key, revision } of ignored) revisions.set(key, revision);
    const changes = Object.entries(values).map(([key, value]) => ({
      key,
      value,
      revision: revisions.get(key) ?? 0,
    }));
    return request('PATCH', '/api/settings', { changes });
  };
  return {
    url,
    program,
    request,
    view,
    async state(key) {
      const found = (await view()).settings.find((setting) => setting.key === key);
      if (!found) throw new Error(`there is no setting ${key}`);
      return found;
    },
    async entry(collection, name) {
      const found = (await view()).settings.find(({ key }) => key === collection);
      return found?.entries?.find((entry) => entry.name === name);
    },
    async set(values) {
      const response = await change(values);
      const body = await response.text();
      if (response.status !== 200) throw new Error(`answered with ${response.status}: ${body}`);
      return JSON.parse(body) as SettingsView;
    },
    async refused(values) {
      const response = await change(values);
      expect(response.status).toBeGreaterThanOrEqual(400);
      return { status: response.status, ...((await response.json()) as SettingsRefusal) };
    },
    async chat(message, person) {
      const response = await request('POST', '/api/claude/chat', { message }, person);
      const { response: answer } = (await response.json()) as { response: string };
      return answer;
    },
  };
}

/** Waits for something that another process does. */
export async function eventually<T>(look: () => T | Promise<T>, isDone: (found: T) => boolean): Promise<T> {
  const until = Date.now() + 60_000;
  for (;;) {
    const found = await look();
    if (isDone(found)) return found;
    if (Date.now() > until) throw new Error(`still ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
