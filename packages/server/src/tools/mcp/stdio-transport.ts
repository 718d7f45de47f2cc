// A transport for the MCP SDK over the stdin and stdout of a program. Unlike the SDK's own, it passes only the given
// environment, kills the whole process group, and reports a crash at once, even while a grandchild keeps the pipes open.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { type Sentence, say } from '@parley/protocol';
import { isProgram } from '../../basics/program-search.ts';

export interface StdioTransportOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** Used without a `cwd`, and created if it does not exist. */
  readonly ownFolder?: string | undefined;
  readonly graceMs: number;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** How long the pipes of an exited program are still read. */
const drainMs = 250;
const stderrBytes = 4_096;

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #options: StdioTransportOptions;
  readonly #buffer = new ReadBuffer();
  readonly #stderr = new TextTail(stderrBytes);
  #child: Child | undefined;
  #ended: Promise<void> = Promise.resolve();
  #ending: (() => Sentence) | undefined;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  /** Why the program is gone: how it exited, and the last line that it wrote to stderr. */
  get ending(): Sentence | undefined {
    return this.#ending?.();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const { command, args, env, ownFolder, cwd = ownFolder } = this.#options;
    if (ownFolder !== undefined && cwd === ownFolder)
      await mkdir(ownFolder, { recursive: true, mode: 0o700 });
    // A separate process group, so that the program's children end with it.
    const child: Child = spawn(command, [...args], {
      env: { ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    child.stdout.on('data', (chunk: Buffer) => this.#read(child, chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.add(chunk));
    for (const pipe of [child.stdin, child.stdout, child.stderr])
      pipe.on('error', (error: Error) => this.onerror?.(error));
    this.#ended = this.#untilEnded(child);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) => {
        const problem = spawnProblem(this.#options, error);
        this.#ending = () => problem;
        reject(error);
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (child === undefined || !child.stdin.writable) throw new Error('the program is not running');
    if (child.stdin.write(serializeMessage(message))) return;
    await new Promise<void>((resolve) => {
      const onSent = () => {
        child.stdin.off('drain', onSent).off('close', onSent);
        resolve();
      };
      child.stdin.once('drain', onSent).once('close', onSent);
    });
  }

  /** Ends the program: first by closing its stdin, then with SIGTERM, then with SIGKILL. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#endsWithin(this.#options.graceMs)) return;
      signalGroup(child, signal);
    }
    await this.#ended;
  }

  #read(child: Child, chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch {
      // The rest of the message would be misread as other messages, so the connection ends here.
      this.#ending ??= () => say`it sent a message that is too large`;
      signalGroup(child, 'SIGKILL');
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // Skip a line that is not a message, such as a greeting.
        this.onerror?.(error as Error);
      }
    }
  }

  async #untilEnded(child: Child): Promise<void> {
    await new Promise<void>((resolve) => {
      child.once('error', () => resolve());
      child.once('exit', (code, signal) => {
        this.#ending ??= () =>
          this.#exited(signal ? say`ended by ${signal}` : say`ended with code ${code ?? '?'}`);
        signalGroup(child, 'SIGKILL');
        const timer = setTimeout(resolve, drainMs);
        child.once('close', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    });
    this.#child = undefined;
    this.#buffer.clear();
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
    this.onclose?.();
  }

  /** With the last line on stderr, which may arrive after the exit. */
  #exited(how: Sentence): Sentence {
    const { lastLine } = this.#stderr;
    return lastLine === '' ? how : say`${how}: ${lastLine}`;
  }

  async #endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    const result = await Promise.race([this.#ended.then(() => true), late]);
    clearTimeout(timer);
    return result;
  }
}

function signalGroup(child: Child, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // No process is left in the group.
  }
}

function spawnProblem({ command, env, cwd }: StdioTransportOptions, error: NodeJS.ErrnoException): Sentence {
  if (cwd !== undefined && !existsSync(cwd)) return say`its folder ${cwd} does not exist`;
  // The system also reports EACCES if it may not look into one of the folders on the search path.
  const missing =
    error.code === 'ENOENT' || (error.code === 'EACCES' && !isProgram(command, env['PATH'], cwd));
  if (missing) return say`the program ${command} was not found`;
  if (error.code === 'EACCES') return say`the program ${command} may not be executed`;
  return say`the program ${command} could not be started (${error.code ?? error.message})`;
}

/** Keeps the end of a text of any length. */
class TextTail {
  readonly #maxBytes: number;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk.subarray(-this.#maxBytes)]).subarray(-this.#maxBytes);
  }

  /** The last line that is not blank, without control characters. */
  get lastLine(): string {
    const lines = this.#bytes.toString('utf8').split('\n');
    const last = lines.findLast((line) => line.trim() !== '') ?? '';
    return last
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, 300);
  }
}
