// Programs as real processes, run by a user with their own home.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { bundleFile, parleyProgram } from '../../../../scripts/bundle.mjs';

export const parley = await parleyProgram();

/** Bundles a TypeScript file into a script that Node can run. */
export function bundled(source: URL): Promise<string> {
  return bundleFile(fileURLToPath(source));
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process and its output so far. */
class Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';

  constructor(
    script: string,
    args: readonly string[],
    options: { cwd: string; env: Record<string, string> },
    launcher: readonly string[] = [],
  ) {
    const [command = '', ...rest] = [...launcher, process.execPath, script, ...args];
    this.child = spawn(command, rest, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = once(this.child, 'close').then(([code]: (number | null)[]) => ({
      code: code ?? null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  /** The first match in the output; fails if the process ends without one. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stdout + this.stderr);
      if (match) return match;
      const more = Promise.race([
        once(this.child.stdout ?? this.child, 'data'),
        once(this.child.stderr ?? this.child, 'data'),
      ]);
      const over = await Promise.race([more.then(() => undefined), this.ended]);
      if (over && !pattern.test(over.stdout + over.stderr)) {
        throw new Error(`ended with ${over.code} without printing ${pattern}:\n${over.stdout}${over.stderr}`);
      }
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** No program that it starts can write to a file, as on a full disk. */
const fullDisk = ['/bin/sh', '-c', `trap '' XFSZ; ulimit -f 0; exec "$@"`, 'sh'];

export interface Place {
  /** The user's home folder, which is also the working directory. */
  readonly user: string;
  /** For programs that start from now on. */
  readonly fillDisk: () => void;
  readonly start: (args: readonly string[], env?: Record<string, string>) => Program;
  readonly run: (args: readonly string[], env?: Record<string, string>) => Promise<Ended>;
  /** Starts a server and waits until it is ready. */
  readonly serve: (
    args?: readonly string[],
    env?: Record<string, string>,
  ) => Promise<{ url: string; program: Program }>;
}

/** A user with an empty home. Their processes and home are removed after the test. */
export function freshPlace(script: string): Place {
  const user = mkdtempSync(join(tmpdir(), 'parley-cli-'));
  const programs: Program[] = [];
  let launcher: readonly string[] = [];
  onTestFinished(async () => {
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    // The children of a killed program may still be running.
    rmSync(user, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  const start: Place['start'] = (args, env = {}) => {
    const environment = { HOME: user, PATH: '/usr/bin:/bin', ...env };
    const program = new Program(script, args, { cwd: user, env: environment }, launcher);
    programs.push(program);
    return program;
  };
  return {
    user,
    fillDisk: () => {
      launcher = fullDisk;
    },
    start,
    run: (args, env) => start(args, env).ended,
    async serve(args = [], env = {}) {
      const program = start(['serve', '--port', '0', ...args], env);
      const [, url = ''] = await program.says(/Parley is ready at (\S+)\n/);
      return { url, program };
    },
  };
}

/** Listens on a free port, never answers, and is closed after the test. */
export async function silentNeighbor(): Promise<number> {
  const server = createServer((socket) => socket.end('this is not HTTP\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
