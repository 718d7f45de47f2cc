// The entry point: knows the program, the host's environment and the running sessions.
import { randomUUID } from 'node:crypto';
import { type BreakerOptions, CircuitBreaker, ProgramBreaker, type StartGuard } from './breaker.ts';
import { dropOldest } from './drop-oldest.ts';
import { ClaudeCliError } from './errors.ts';
import { type PoolOptions, SessionPool } from './pool.ts';
import type { Spawn } from './process/claude-process.ts';
import { discoverProgram } from './process/discover.ts';
import { buildEnvironment, type Variables } from './process/environment.ts';
import { Program } from './process/program.ts';
import { Watchdog } from './process/watchdog.ts';
import { Session } from './session.ts';
import { checkSessionConfig, type SessionConfig } from './session-config.ts';

export interface ProviderOptions {
  /** The host's variables, usually `process.env`. Only those on an allow list reach the program. */
  readonly environment: Variables;
  /** Names of further host variables that reach the program. */
  readonly inherit?: readonly string[];
  /** Path of the program; by default searched on PATH and in installed npm packages. */
  readonly program?: string;
  readonly breaker?: BreakerOptions;
  /** For tests. */
  readonly now?: () => number;
  readonly spawn?: Spawn;
}

/** How many sessions keep a breaker; the least recently created is dropped first. */
const MAX_BREAKERS = 1_000;

export class Provider {
  readonly #options: ProviderOptions;
  readonly #program: Program;
  readonly #watchdog = new Watchdog();
  readonly #alive = new Set<Session>();
  readonly #pools = new Set<SessionPool>();
  readonly #breakers = new Map<string, CircuitBreaker>();
  readonly #programBreaker: ProgramBreaker;
  #isClosed = false;

  constructor(options: ProviderOptions) {
    this.#options = options;
    this.#programBreaker = new ProgramBreaker(options.breaker, options.now);
    this.#program = new Program({
      find: () => this.findProgram(),
      environment: () => buildEnvironment({ host: options.environment, alsoInherit: options.inherit ?? [] }),
    });
  }

  /**
   * A new session, not yet started. Throws `invalid_config` with all problems at once. `id` is the host's name for it;
   * if it is a UUID and the configuration names none, it also becomes the program's session id.
   */
  createSession(config: SessionConfig = {}, id: string = randomUUID()): Session {
    if (this.#isClosed) throw new ClaudeCliError('illegal_move', 'The provider is closed.');
    const checked = checkSessionConfig(config);
    const { environment: host, inherit = [], spawn } = this.#options;
    const session: Session = new Session({
      id,
      config: checked,
      environment: buildEnvironment({ host, alsoInherit: inherit, explicit: checked.environment }),
      program: this.#program,
      breaker: this.#guardOf(id),
      watchdog: this.#watchdog,
      spawn,
      onAlive: (isAlive) => void (isAlive ? this.#alive.add(session) : this.#alive.delete(session)),
    });
    return session;
  }

  /** Keeps processes of one configuration ready, so a first message does not wait for a spawn. */
  createPool(config: SessionConfig, options: PoolOptions): SessionPool {
    const pool: SessionPool = new SessionPool(options, {
      create: () => this.createSession(config),
      breaker: this.#newBreaker(),
      onClosed: () => void this.#pools.delete(pool),
    });
    this.#pools.add(pool);
    return pool;
  }

  /** The path of the program. Throws `program_not_found`, which says what to do. */
  findProgram(): string {
    const { program, environment } = this.#options;
    return discoverProgram({ program, searchPath: environment['PATH'] });
  }

  get aliveSessions(): readonly Session[] {
    return [...this.#alive];
  }

  /** Stops every session and the watchdog. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#program.close();
    await Promise.all([...this.#pools].map((pool) => pool.close()));
    await Promise.all(this.aliveSessions.map((session) => session[Symbol.asyncDispose]()));
    this.#watchdog.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #guardOf(id: string): StartGuard {
    return this.#programBreaker.guard(id, this.#breakerOf(id));
  }

  /** Shared by all session objects of one id, so creating a new object does not bypass the cooldown. */
  #breakerOf(id: string): CircuitBreaker {
    const known = this.#breakers.get(id);
    const breaker = known ?? this.#newBreaker();
    this.#breakers.delete(id);
    this.#breakers.set(id, breaker);
    dropOldest(this.#breakers, MAX_BREAKERS);
    return breaker;
  }

  #newBreaker(): CircuitBreaker {
    return new CircuitBreaker(this.#options.breaker, this.#options.now);
  }
}

export function createProvider(options: ProviderOptions): Provider {
  return new Provider(options);
}
