// The program of a provider: where it is, and what its version can do. Newer versions can do everything that the driver
// needs, so it doesn't ask before a start. If a start fails the way an old version fails, the driver asks the program
// once, and starts it again with what it understands.
import { statSync } from 'node:fs';
import type { ClaudeCliError } from '../errors.ts';
import { type Capabilities, readCapabilities } from './capabilities.ts';

export interface ProgramOptions {
  /** Throws `program_not_found`. */
  readonly find: () => string;
  readonly environment: () => Readonly<Record<string, string>>;
}

export interface FoundProgram {
  readonly path: string;
  /** Undefined until the driver has asked the program. */
  readonly capabilities: Capabilities | undefined;
}

interface Asked {
  /** Identifies the file, because an update replaces the program in place. */
  readonly stamp: string;
  readonly answer: Promise<Capabilities | undefined>;
  capabilities?: Capabilities | undefined;
}

export class Program {
  readonly #options: ProgramOptions;
  readonly #closing = new AbortController();
  #asked: Asked | undefined;

  constructor(options: ProgramOptions) {
    this.#options = options;
  }

  find(): FoundProgram {
    const path = this.#options.find();
    const { stamp, capabilities } = this.#asked ?? {};
    return { path, capabilities: stamp === stampOf(path) ? capabilities : undefined };
  }

  /** Asks the program what it can do, once for all sessions. False if it doesn't answer, or the caller gives up. */
  async learn(signal: AbortSignal): Promise<boolean> {
    const path = this.#options.find();
    const stamp = stampOf(path);
    if (this.#asked?.stamp !== stamp) this.#asked = this.#ask(path, stamp);
    const givenUp = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    return !signal.aborted && (await Promise.race([this.#asked.answer, givenUp])) !== undefined;
  }

  /** Ends the processes that were asked and have not answered. */
  close(): void {
    this.#closing.abort();
  }

  #ask(path: string, stamp: string): Asked {
    const answer = readCapabilities(path, this.#options.environment(), this.#closing.signal);
    const asked: Asked = { stamp, answer };
    void asked.answer.then((capabilities) => {
      asked.capabilities = capabilities;
      // The machine may have been too busy, so ask again after the next failure.
      if (!capabilities && this.#asked === asked) this.#asked = undefined;
    });
    return asked;
  }
}

/** Recognizes what an old version says about a flag, or a combination of flags, that it does not know. */
export function isFailureOfOldProgram({ code, stderr = '' }: ClaudeCliError): boolean {
  return code === 'start_failed' && /unknown option|cannot be used with/i.test(stderr);
}

function stampOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${path} ${ino} ${size} ${mtimeMs}`;
}
