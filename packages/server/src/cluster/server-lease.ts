// Keeps this server's lease in the registry. If it can't be renewed for too long, by this machine's own clock, the server
// must assume that others have its sessions, and stops.
import type { Logger } from '../domain/logger.ts';
import { renewEveryMs, type Server, type ServerRegistry, stopAfterMs } from '../domain/server-registry.ts';
import type { Timers } from '../domain/timers.ts';

export interface ServerLeaseParts {
  readonly registry: Pick<ServerRegistry, 'renew' | 'replace' | 'leave'>;
  readonly server: Server;
  readonly timers: Timers;
  readonly logger: Logger;
}

export class ServerLease {
  readonly #parts: ServerLeaseParts;
  /** When the last successful renewal was sent, because the lease may count from then. */
  #renewedAt = Number.NEGATIVE_INFINITY;
  #isHeld = false;
  #isClosed = false;
  #onLost = () => {};
  #cancelNext = () => {};
  #cancelStop = () => {};

  constructor(parts: ServerLeaseParts) {
    this.#parts = parts;
  }

  /** Whether this server may own sessions. Checks the clock, because after a pause of the process timers run late. */
  get isHeld(): boolean {
    if (this.#isHeld && this.#left <= 0) this.#lose();
    return this.#isHeld;
  }

  /** Takes one listener, which is called before anybody else learns that the lease is lost. */
  onLost(listener: () => void): void {
    this.#onLost = listener;
  }

  /** How long ago the lease was renewed, in seconds. */
  get age(): number {
    return (this.#parts.timers.now() - this.#renewedAt) / 1_000;
  }

  /** Rejects if the registry can't be reached. */
  async start(): Promise<void> {
    const { registry, server, timers } = this.#parts;
    await registry.replace(server);
    const sentAt = timers.now();
    await registry.renew(server);
    this.#renewed(sentAt);
    this.#renewLater();
  }

  /** Sessions that were not handed over count as abandoned from now on. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelNext();
    this.#cancelStop();
    const { registry, server, logger } = this.#parts;
    await registry
      .leave(server)
      .catch((error: unknown) => logger.warn({ err: error }, 'the lease could not be ended; it runs out'));
  }

  #renewLater(): void {
    this.#cancelNext = this.#parts.timers.after(renewEveryMs, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const { registry, server, timers, logger } = this.#parts;
    const sentAt = timers.now();
    // Scheduled first: an answer that never comes must not stop the next attempt.
    this.#renewLater();
    try {
      await registry.renew(server);
      if (!this.#isClosed) this.#renewed(sentAt);
    } catch (error) {
      logger.warn({ err: error }, 'the lease of this server could not be renewed');
    }
  }

  #renewed(sentAt: number): void {
    // It may have been over for a moment, and others may have claimed sessions.
    const wasHeld = this.isHeld;
    this.#renewedAt = Math.max(this.#renewedAt, sentAt);
    // The answer came so late that the lease may be over already.
    if (this.#left <= 0) return;
    this.#cancelStop();
    this.#cancelStop = this.#parts.timers.after(this.#left, () => this.#lose());
    this.#isHeld = true;
    if (!wasHeld) this.#parts.logger.info({}, 'this server has a lease');
  }

  get #left(): number {
    return this.#renewedAt + stopAfterMs - this.#parts.timers.now();
  }

  #lose(): void {
    if (!this.#isHeld || this.#isClosed) return;
    this.#isHeld = false;
    this.#parts.logger.error(
      {},
      'the lease of this server is lost: its turns stop until the database answers again',
    );
    this.#onLost();
  }
}
