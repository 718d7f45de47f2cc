// Several servers as real processes on one PostgreSQL, with a proxy in front, all on loopback: for `npm run cluster`, the
// fault tests and the benchmark.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { type PostgresOptions, type PostgresStandIn, startPostgres } from '../postgres.ts';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';

export interface ClusterOptions {
  /** The path of the built `parley` command. */
  readonly program: string;
  readonly servers?: number;
  /** For every server. They run in demo mode unless it says otherwise. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The contents of every server's `parley.config.json`. */
  readonly settings?: object;
  /** A free port by default. */
  readonly proxyPort?: number;
  readonly postgres?: PostgresOptions;
  /** Ctrl-C doesn't reach the processes, so that the caller can stop the servers before their database. */
  readonly isDetached?: boolean;
  /** Changes the database address that the servers use, for example to one that a test can cut. */
  readonly databaseUrl?: (url: string) => string;
}

export interface ClusterServer {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** What it has logged; bounded. */
  readonly log: string;
  /** Resolves when it is ready. */
  start(): Promise<void>;
  /** Resolves when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** The process does nothing at all until it is resumed. */
  pause(): void;
  resume(): void;
}

export interface RunningCluster {
  readonly folder: string;
  readonly postgres: PostgresStandIn;
  readonly database: string;
  readonly servers: readonly ClusterServer[];
  readonly proxy: RoundRobin;
  readonly apiKey: string;
  readonly password: string;
  /** Stops everything and deletes the data. */
  close(): Promise<void>;
}

export async function startCluster(options: ClusterOptions): Promise<RunningCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-cluster-'));
  const closers: (() => Promise<void>)[] = [
    async () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  ];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const { isDetached = false } = options;
    const postgres = await startPostgres({ ...options.postgres, isDetached });
    closers.push(() => postgres.close());
    const database = await postgres.createDatabase('parley');
    const [apiKey, password, secret] = [secretText(), secretText(), secretText()];
    const shared = {
      PARLEY_DEMO: '1',
      PARLEY_API_KEY: apiKey,
      FAMILY_PASSWORD: password,
      PARLEY_CLUSTER_SECRET: secret,
      PARLEY_TRUSTED_PROXIES: '127.0.0.1',
      PARLEY_DATABASE_URL: options.databaseUrl?.(database) ?? database,
      // The first server makes the sample notes, and all servers use them.
      PARLEY_VAULT_ROOT: join(folder, 'server-1', 'demo', 'notes'),
      ...options.environment,
    };
    const servers: ServerProcess[] = [];
    closers.push(async () => void (await Promise.all(servers.map((server) => server.end()))));
    for (let number = 1; number <= (options.servers ?? 3); number += 1) {
      const home = join(folder, `server-${number}`);
      mkdirSync(home);
      writeFileSync(join(home, 'parley.config.json'), JSON.stringify(options.settings ?? {}));
      const server = new ServerProcess({
        name: `server-${number}`,
        program: options.program,
        home,
        port: await freePort(),
        environment: shared,
        isDetached,
      });
      servers.push(server);
    }
    // The first server migrates the database and makes the sample notes.
    await servers[0]?.start();
    await Promise.all(servers.slice(1).map((server) => server.start()));
    const proxy = await startRoundRobin(
      servers.map(({ url }) => url),
      options.proxyPort,
    );
    closers.push(() => proxy.close());
    return { folder, postgres, database, servers, proxy, apiKey, password, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const maxLog = 1024 * 1024;

interface ServerSetup {
  readonly name: string;
  readonly program: string;
  readonly home: string;
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly isDetached: boolean;
}

class ServerProcess implements ClusterServer {
  readonly name: string;
  readonly url: string;
  log = '';
  readonly #setup: ServerSetup;
  #child: ChildProcess | undefined;

  constructor(setup: ServerSetup) {
    this.name = setup.name;
    this.url = `http://127.0.0.1:${setup.port}`;
    this.#setup = setup;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async start(): Promise<void> {
    const { program, home, port, environment, isDetached } = this.#setup;
    const child = spawn(process.execPath, [program], {
      cwd: home,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        PARLEY_HOME: home,
        PARLEY_PORT: String(port),
        PARLEY_SERVER_URL: this.url,
        ...environment,
      },
      detached: isDetached,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.log = (this.log + text).slice(-maxLog);
      });
    }
    while (!(await isReady(this.url))) {
      if (hasEnded(child)) throw new Error(`${this.name} did not start:\n${this.log}`);
      await pause(30);
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (!child || hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Stops it cleanly, even if it is paused. */
  end(): Promise<void> {
    this.resume();
    return this.stop();
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
}

function secretText(): string {
  return randomBytes(18).toString('base64url');
}
