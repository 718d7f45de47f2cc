// Starts the processes of a benchmark: the built server with its own home, and this bundle in other roles.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@parley/stand-ins';

export const apiKey = 'bench-key-bench-key';
/** For servers that never ask the model. */
export const nowhere = 'http://127.0.0.1:9';

export interface Running {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the spawn to the first answered request. */
  readonly startMs: number;
  close(): Promise<void>;
}

const server = join(process.cwd(), 'packages/server/dist/main.js');
const many = 1_000_000;
export const benchSettings = {
  people: ['bench'],
  limits: { requestsPerMinute: many, totalRequestsPerMinute: many, openStreams: 5_000 },
  log: { level: 'error' },
};
/** For profiling, such as `--cpu-prof`. */
const serverFlags = process.env['BENCH_NODE_FLAGS']?.split(' ') ?? [];

export interface ServerOptions {
  /** Not deleted when the server stops. By default the server gets a temporary one. */
  readonly home?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly nodeFlags?: readonly string[];
}

export async function startServer(anthropicUrl: string, options: ServerOptions = {}): Promise<Running> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const port = await freePort();
  const config = { ...benchSettings, vaultRoot: join(home, 'notes'), ...options.config };
  writeFileSync(join(home, 'parley.config.json'), JSON.stringify(config));
  const running = await started(
    spawn(process.execPath, [...serverFlags, ...(options.nodeFlags ?? []), server], {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        PARLEY_HOME: home,
        PARLEY_PORT: String(port),
        PARLEY_API_KEY: apiKey,
        PARLEY_DEMO: '0',
        ANTHROPIC_API_KEY: 'bench',
        ANTHROPIC_BASE_URL: anthropicUrl,
        ...options.environment,
      },
    }),
    `http://127.0.0.1:${port}`,
    '/healthz',
  );
  return {
    ...running,
    async close() {
      await running.close();
      if (options.home === undefined) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Starts this bundle in another role, such as the upstream or the proxy. */
export async function startRole(role: string, ...args: readonly string[]): Promise<Running> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [process.argv[1] ?? '', `--role=${role}`, `--port=${port}`, ...args],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  return started(child, `http://127.0.0.1:${port}`, '/');
}

export async function get<T>(url: string, path: string): Promise<T> {
  const response = await fetch(url + path, { headers: { 'x-api-key': apiKey, 'x-notes-person': 'bench' } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

export function residentKb(pid: number): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+) kB/);
  return Number(line?.[1]);
}

async function started(child: ChildProcess, url: string, path: string): Promise<Running> {
  const start = performance.now();
  // A failed run leaves no process behind.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`a process of the benchmark exited with code ${child.exitCode}`);
    const answered = await fetch(url + path).then(
      async (response) => {
        await response.arrayBuffer();
        return true;
      },
      () => false,
    );
    if (answered) break;
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  return {
    url,
    pid: child.pid ?? 0,
    startMs: performance.now() - start,
    close: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}
