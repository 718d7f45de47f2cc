// Starts the servers of the cluster benchmark, with the credentials, people and limits of the other benchmarks, on a
// PostgreSQL that waits for the disk.
import { join } from 'node:path';
import { type RunningCluster, startCluster } from '@parley/stand-ins/cluster';
import { apiKey, benchSettings } from './processes.ts';

interface ServersOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  /** False fills a database faster. */
  readonly isDurable?: boolean;
}

export function startServers(
  count: number,
  anthropicUrl: string,
  { settings = {}, isDurable = true }: ServersOptions = {},
): Promise<RunningCluster> {
  return startCluster({
    program: join(process.cwd(), 'packages/server/dist/main.js'),
    servers: count,
    postgres: { isDurable, settings: { shared_buffers: '256MB', max_wal_size: '4GB' } },
    environment: {
      PARLEY_API_KEY: apiKey,
      PARLEY_DEMO: '0',
      ANTHROPIC_API_KEY: 'bench',
      ANTHROPIC_BASE_URL: anthropicUrl,
    },
    settings: { ...benchSettings, ...settings },
  });
}

const headers = { 'x-api-key': apiKey, 'x-notes-person': 'bench', 'content-type': 'application/json' };

async function post<T>(url: string, path: string, body: unknown): Promise<T> {
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

export async function newSession(url: string): Promise<string> {
  return (await post<{ id: string }>(url, '/api/sessions', { assistant: 'notes' })).id;
}

export function prompt(url: string, session: string, message = 'go'): Promise<{ turnId: string }> {
  return post(url, `/api/sessions/${session}/prompts`, { message });
}

export interface Reader {
  /** Resolves once the text has arrived, and forgets everything that has arrived so far. */
  until(text: string): Promise<void>;
  close(): void;
}

/** Reads the events of a session through one server. Resolves when the server has accepted the request. */
export async function read(
  url: string,
  session: string,
  onText: (text: string) => void = () => undefined,
): Promise<Reader> {
  const controller = new AbortController();
  const response = await fetch(`${url}/api/sessions/${session}/events`, {
    headers,
    signal: controller.signal,
  });
  let arrived = '';
  let wake = () => {};
  void (async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      onText(chunk);
      arrived += chunk;
      wake();
    }
  })().catch(() => undefined);
  return {
    async until(text) {
      while (!arrived.includes(text)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      arrived = '';
    },
    close: () => controller.abort(),
  };
}
