// The way in: knows the program, the host's environment and the sessions that are alive.
import { randomUUID } from 'node:crypto';
import { type BreakerOptions, CircuitBreaker } from './breaker.ts';
import { ClaudeCliError } from './errors.ts';
import { type PoolOptions, SessionPool } from './pool.ts';
import type { Spawn } from './process/claude-process.ts';
import { discoverProgram } from './process/discover.ts';
import { buildEnvironment, type Variables } from './process/environment.ts';
import { Watchdog } from './process/watchdog.ts';
import { Session } from './session.ts';
import { checkSessionConfig, type SessionConfig } from './session-config.ts';

export interface ProviderOptions {
  /** The host's variables, usually `process.env`. Only those of a list reach the program. */
  readonly environment: Variables;
  /** Names of further host variables that reach the program. */
  readonly inherit?: readonly string[];
  /** Path of the program; searched on PATH and in installed npm packages unless given. */
  readonly program?: string;
  readonly breaker?: BreakerOptions;
  /** For tests. */
  readonly now?: () => number;
  readonly spawn?: Spawn;
}

/** Breakers of sessions that failed; a session that works has none. */
const MAX_BREAKERS = 1_000;

export class Provider {
  readonly #options: ProviderOptions;
  readonly #watchdog = new Watchdog();
  readonly #alive = new Set<Session>();
  readonly #pools = new Set<SessionPool>();
  readonly #breakers = new Map<string, CircuitBreaker>();
  #isClosed = false;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  /**
   * A new session, not yet started. Throws `invalid_config` with all problems at once. `id` is the host's name for it;
   * a UUID also becomes the program's session id, where the configuration names none.
   */
  createSession(config: SessionConfig = {}, id: string = randomUUID()): Session {
    if (this.#isClosed) throw new ClaudeCliError('illegal_move', 'The provider is closed.');
    const checked = checkSessionConfig(config);
    const { environment: host, inherit = [], spawn } = this.#options;
    const session: Session = new Session({
      id,
      config: checked,
      environment: buildEnvironment({ host, alsoInherit: inherit, explicit: checked.environment }),
      findProgram: () => this.findProgram(),
      breaker: this.#breakerOf(id),
      watchdog: this.#watchdog,
      spawn,
      onAlive: (isAlive) => void (isAlive ? this.#alive.add(session) : this.#alive.delete(session)),
    });
    return session;
  }

  /** Keeps processes of one configuration ready, so that a first message does not wait for a spawn. */
  createPool(config: SessionConfig, options: PoolOptions): SessionPool {
    const pool: SessionPool = new SessionPool(options, {
      create: () => this.createSession(config),
      breaker: this.#newBreaker(),
      onClosed: () => void this.#pools.delete(pool),
    });
    this.#pools.add(pool);
    return pool;
  }

  /** The path of the program; throws `program_not_found` with what to do. */
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
    await Promise.all([...this.#pools].map((pool) => pool.close()));
    await Promise.all(this.aliveSessions.map((session) => session[Symbol.asyncDispose]()));
    this.#watchdog.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Shared by all session objects of one id, so that making a new object does not go round the cooldown. */
  #breakerOf(id: string): CircuitBreaker {
    const known = this.#breakers.get(id);
    const breaker = known ?? this.#newBreaker();
    this.#breakers.delete(id);
    this.#breakers.set(id, breaker);
    const oldest = this.#breakers.keys().next().value;
    if (this.#breakers.size > MAX_BREAKERS && oldest !== undefined) this.#breakers.delete(oldest);
    return breaker;
  }

  #newBreaker(): CircuitBreaker {
    return new CircuitBreaker(this.#options.breaker, this.#options.now);
  }
}

export function createProvider(options: ProviderOptions): Provider {
  return new Provider(options);
}
