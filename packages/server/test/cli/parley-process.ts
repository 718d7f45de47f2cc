// Programs as real processes, run by a user with a home of their own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { bundleFile } from '../../../../scripts/bundle.mjs';

/** A script that Node can run, made of a TypeScript file. */
export function bundled(source: URL): Promise<string> {
  return bundleFile(fileURLToPath(source));
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process with all that it has written so far. */
class Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';

  constructor(
    script: string,
    args: readonly string[],
    options: { cwd: string; env: Record<string, string> },
  ) {
    this.child = spawn(process.execPath, [script, ...args], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
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

  /** The first match in what it writes; fails when the process ends without. */
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
        throw new Error(`ended with ${over.code} without saying ${pattern}:\n${over.stdout}${over.stderr}`);
      }
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}

export interface Place {
  /** The home folder of the user, which is also where the command runs. */
  readonly user: string;
  readonly start: (args: readonly string[], env?: Record<string, string>) => Program;
  readonly run: (args: readonly string[], env?: Record<string, string>) => Promise<Ended>;
  /** Starts a server and waits until it is ready. */
  readonly serve: (
    args?: readonly string[],
    env?: Record<string, string>,
  ) => Promise<{ url: string; program: Program }>;
}

/** A user with an empty home. When the test is over, their processes and their home are gone. */
export function freshPlace(script: string): Place {
  const user = mkdtempSync(join(tmpdir(), 'parley-cli-'));
  const programs: Program[] = [];
  onTestFinished(async () => {
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    // What a program that was killed had started may still be on its way out.
    rmSync(user, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  const start: Place['start'] = (args, env = {}) => {
    const program = new Program(script, args, {
      cwd: user,
      env: { HOME: user, PATH: '/usr/bin:/bin', ...env },
    });
    programs.push(program);
    return program;
  };
  return {
    user,
    start,
    run: (args, env) => start(args, env).ended,
    async serve(args = [], env = {}) {
      const program = start(['serve', '--port', '0', ...args], env);
      const [, url = ''] = await program.says(/Parley is ready at (\S+)\n/);
      return { url, program };
    },
  };
}

/** Listens on a free port, says nothing to whoever connects, and is closed after the test. */
export async function silentNeighbour(): Promise<number> {
  const server = createServer((socket) => socket.end('this is not HTTP\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
