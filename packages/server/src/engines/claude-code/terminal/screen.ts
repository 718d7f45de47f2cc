// The program's own screen in a pseudo terminal, shared by all its viewers. It keeps running without viewers and ends with
// the program.
import type { IPty } from '@lydell/node-pty';
import { signalProgram } from '@parley/claude-cli';
import { type Sentence, say } from '@parley/protocol';
import type { TerminalLink, TerminalViewer } from '../../../domain/terminal.ts';
import { Backlog } from './backlog.ts';

export interface ScreenSetup {
  readonly pty: IPty;
  /** How many processes are between this one and the program. */
  readonly layers: number;
  readonly backlogBytes: number;
  /** A screen without viewers ends if it shows nothing new for this long. */
  readonly idleMs: number;
  readonly onEnd: () => void;
}

interface Watching {
  readonly viewer: TerminalViewer;
  /** Bytes since the viewer last kept up. */
  behind: number;
}

/** A viewer that is this far behind is cut off; it can reconnect and gets the backlog. */
const maxBehind = 1024 * 1024;
const maxInput = 1024 * 1024;
const killMs = 3_000;
const largest = { cols: 1_000, rows: 1_000 };

export class Screen {
  /** Resolves when the program is gone. */
  readonly ended: Promise<void>;
  readonly #setup: ScreenSetup;
  readonly #backlog: Backlog;
  readonly #watching = new Set<Watching>();
  #reason = say`The program ended.`;
  #idle: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(setup: ScreenSetup) {
    this.#setup = setup;
    this.#backlog = new Backlog(setup.backlogBytes);
    setup.pty.onData((data) => this.#show(toBytes(data)));
    this.ended = new Promise((resolve) => {
      setup.pty.onExit(() => {
        this.#over();
        resolve();
      });
    });
    this.#watchIdle();
  }

  get pid(): number {
    return this.#setup.pty.pid;
  }

  attach(viewer: TerminalViewer): TerminalLink {
    const watching: Watching = { viewer, behind: 0 };
    this.#watching.add(watching);
    this.#watchIdle();
    const { pty } = this.#setup;
    return {
      backlog: this.#backlog.read(),
      write: (data) => {
        if (!this.#isEnded && data.length <= maxInput) pty.write(asTyped(data));
      },
      resize: (cols, rows) => {
        if (!this.#isEnded) pty.resize(within(cols, largest.cols), within(rows, largest.rows));
      },
      detach: () => {
        this.#watching.delete(watching);
        this.#watchIdle();
      },
    };
  }

  /** Asks the program to end, and kills it after a while. */
  async end(reason: Sentence): Promise<void> {
    if (this.#isEnded) return;
    this.#reason = reason;
    const { pty, layers } = this.#setup;
    if (!signalProgram(pty.pid, layers, 'SIGTERM')) pty.kill('SIGTERM');
    const killing = setTimeout(() => pty.kill('SIGKILL'), killMs);
    await this.ended.finally(() => clearTimeout(killing));
  }

  notify(message: string): void {
    for (const { viewer } of this.#watching) viewer.notify?.(message);
  }

  #show(bytes: Uint8Array): void {
    this.#backlog.push(bytes);
    for (const watching of this.#watching) {
      if (watching.viewer.data(bytes)) watching.behind = 0;
      else watching.behind += bytes.length;
      if (watching.behind > maxBehind) this.#cutOff(watching);
    }
    this.#watchIdle();
  }

  #cutOff(watching: Watching): void {
    this.#watching.delete(watching);
    watching.viewer.ended(say`The connection is too slow for this screen. Reconnect to continue.`);
  }

  #over(): void {
    this.#isEnded = true;
    clearTimeout(this.#idle);
    for (const { viewer } of this.#watching) viewer.ended(this.#reason);
    this.#watching.clear();
    this.#setup.onEnd();
  }

  #watchIdle(): void {
    clearTimeout(this.#idle);
    if (this.#isEnded || this.#watching.size > 0) return;
    this.#idle = setTimeout(() => void this.end(say`Nobody was watching.`), this.#setup.idleMs);
    this.#idle.unref();
  }
}

function within(value: number, most: number): number {
  return Number.isInteger(value) ? Math.min(Math.max(value, 1), most) : 1;
}

/** Typed as text, but the terminal also takes bytes, which keep a character whole that arrived in two parts. */
function asTyped(data: Uint8Array): string {
  return Buffer.from(data) as unknown as string;
}

/** Typed as text, but the terminal sends bytes if no encoding is set. */
function toBytes(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data) : data;
}
