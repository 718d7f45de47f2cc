// How one bot is doing, as its door tells it while it comes up, runs and breaks.
import type { ChannelStatus } from '@parley/protocol';
import type { Clock } from '../../../domain/clock.ts';

export class BotState {
  readonly #clock: Clock;
  #status: ChannelStatus;

  constructor(
    { name, kind }: Pick<ChannelStatus, 'name' | 'kind'>,
    clock: Clock,
    state: 'connecting' | 'off' = 'connecting',
  ) {
    this.#clock = clock;
    this.#status = { name, kind, state, botName: null, lastError: null, since: clock.now() };
  }

  get status(): ChannelStatus {
    return this.#status;
  }

  named(botName: string): void {
    this.#status = { ...this.#status, botName };
  }

  running(): void {
    this.#turn('running', null);
  }

  /** It tries again by itself. */
  connecting(reason: string): void {
    this.#turn('connecting', reason);
  }

  /** The reason says what to do. */
  failed(reason: string): void {
    this.#turn('failed', reason);
  }

  #turn(state: ChannelStatus['state'], lastError: string | null): void {
    const since = state === this.#status.state ? this.#status.since : this.#clock.now();
    this.#status = { ...this.#status, state, lastError, since };
  }
}
