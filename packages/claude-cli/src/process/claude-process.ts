// One child process: spawned in its own process group, read as it writes, ended together with everything it started.
// Knows nothing about frames.
import {
  type ChildProcessWithoutNullStreams,
  spawn as nodeSpawn,
  type SpawnOptions,
} from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { ClaudeCliError } from '../errors.ts';
import { abandonable } from '../unhandled-rejections.ts';
import { killMarked, MARK_VARIABLE, signalProcess } from './descendants.ts';
import type { Watchdog } from './watchdog.ts';
import { signalProgram } from './wrap.ts';

export type Spawn = (
  program: string,
  args: readonly string[],
  options: SpawnOptions,
) => ChildProcessWithoutNullStreams;

export interface ProcessSetup {
  readonly program: string;
  readonly args: readonly string[];
  /** How many processes are above the program, see WrappedCommand. */
  readonly layers?: number | undefined;
  readonly workingDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly watchdog: Watchdog;
  readonly stderrBytes: number;
  readonly maxInputBytes: number;
  readonly spawn?: Spawn | undefined;
  readonly onChunk: (chunk: Buffer) => void;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** Set if the process could not be spawned. */
  readonly spawnError?: Error;
}

/** How long to keep reading output that is still in the pipe when the process is gone. */
const DRAIN_MS = 2_000;

export class ClaudeProcess {
  /** Resolves when the process and all its descendants are gone and its output is read. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #watchdog: Watchdog;
  readonly #mark = randomUUID();
  readonly #stderr: ByteTail;
  readonly #maxInputBytes: number;
  readonly #layers: number;
  #holds = 0;
  #gone = false;
  #discarding = false;

  constructor(setup: ProcessSetup) {
    this.#watchdog = setup.watchdog;
    this.#maxInputBytes = setup.maxInputBytes;
    this.#layers = setup.layers ?? 0;
    this.#stderr = new ByteTail(setup.stderrBytes);
    const spawn = setup.spawn ?? (nodeSpawn as unknown as Spawn);
    this.#child = spawn(setup.program, setup.args, {
      cwd: setup.workingDir,
      env: { ...setup.environment, [MARK_VARIABLE]: this.#mark },
      detached: true,
      stdio: 'pipe',
      windowsHide: true,
    });
    if (this.#child.pid !== undefined) this.#watchdog.watch(this.#child.pid, this.#mark);
    this.#child.stdout.on('data', setup.onChunk);
    this.#child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    // The end of the process reports the failure, not the broken pipe.
    this.#child.stdin.on('error', () => undefined);
    this.ended = this.#awaitEnd();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  /** Resolves when the operating system has the line. */
  write(line: string): Promise<void> {
    const { stdin } = this.#child;
    if (stdin.writableLength > this.#maxInputBytes) {
      return Promise.reject(
        new ClaudeCliError('input_full', 'The program does not read its input, and too much is waiting.'),
      );
    }
    return abandonable(
      new Promise<void>((resolve, reject) => {
        stdin.write(`${line}\n`, (error) => {
          // When the program ends, Node destroys the stream and reports pending writes as successful.
          if (error || stdin.destroyed)
            reject(new ClaudeCliError('aborted', 'The program no longer reads its input.', { cause: error }));
          else resolve();
        });
      }),
    );
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  /** Stops reading until the returned function is called, so that the program blocks on its writes. */
  holdOutput(): () => void {
    this.#holds += 1;
    this.#child.stdout.pause();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds -= 1;
      if (this.#holds === 0) this.#child.stdout.resume();
    };
  }

  /** Sends SIGTERM, and SIGKILL after the grace period; 0 kills at once. */
  async terminate(graceMs: number): Promise<ProcessEnd> {
    this.#discarding = true;
    if (graceMs > 0) {
      this.#askToEnd();
      const timer = setTimeout(() => this.#signalGroup('SIGKILL'), graceMs);
      return this.ended.finally(() => clearTimeout(timer));
    }
    this.#signalGroup('SIGKILL');
    return this.ended;
  }

  /** Signals the program itself, so that it can exit cleanly. If a process around it ends first, that kills it. */
  #askToEnd(): void {
    const { pid } = this.#child;
    const isSignaled =
      this.#layers > 0 && pid !== undefined && !this.#gone && signalProgram(pid, this.#layers, 'SIGTERM');
    if (!isSignaled) this.#signalGroup('SIGTERM');
  }

  #signalGroup(signal: NodeJS.Signals): void {
    if (this.#child.pid === undefined || this.#gone) return;
    if (process.platform === 'win32' || !signalProcess(-this.#child.pid, signal)) this.#child.kill(signal);
  }

  async #awaitEnd(): Promise<ProcessEnd> {
    const [code, signal, spawnError] = await this.#awaitExit();
    if (spawnError) return { code, signal, stderr: '', spawnError };

    const { pid } = this.#child;
    if (pid !== undefined) {
      // The leader is gone, but its pid stays reserved as long as its group has members.
      signalProcess(-pid, 'SIGKILL');
      this.#gone = true;
      await killMarked(this.#mark);
      this.#watchdog.forget(pid);
    }
    await this.#drain();
    return { code, signal, stderr: this.#stderr.text };
  }

  #awaitExit(): Promise<[number | null, NodeJS.Signals | null, Error?]> {
    return new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => resolve([code, signal]));
      // Also emitted if a signal could not be sent. Then the process is alive and will exit later.
      this.#child.on('error', (error) => {
        if (this.#child.pid === undefined) resolve([null, null, error]);
      });
    });
  }

  async #drain(): Promise<void> {
    const { stdout, stderr } = this.#child;
    const closed = Promise.all([stdout, stderr].map(readToEnd));
    while (this.isHeld && !this.#discarding && !stdout.destroyed) await Promise.race([closed, pauseFor(50)]);
    await Promise.race([closed, pauseFor(DRAIN_MS)]);
    stdout.destroy();
    stderr.destroy();
  }
}

function readToEnd(
  stream: NodeJS.ReadableStream & { readonly closed?: boolean; readableEnded?: boolean },
): Promise<void> {
  if (stream.readableEnded === true || stream.closed === true) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('end', resolve);
    stream.once('close', resolve);
  });
}

function pauseFor(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

/** Keeps the last bytes of a stream, so an error can say what the program complained about. */
class ByteTail {
  readonly #capacity: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    // Joining only at twice the capacity keeps the cost of many small chunks linear.
    if (this.#size > this.#capacity * 2) this.#trim();
  }

  get text(): string {
    this.#trim();
    return (this.#parts[0] ?? Buffer.alloc(0)).toString('utf8').trim();
  }

  #trim(): void {
    const joined = Buffer.concat(this.#parts);
    const tail =
      joined.length > this.#capacity ? Buffer.from(joined.subarray(joined.length - this.#capacity)) : joined;
    this.#parts = [tail];
    this.#size = tail.length;
  }
}
