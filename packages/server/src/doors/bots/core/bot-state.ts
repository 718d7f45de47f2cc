// The state of one bot, which its door updates while it starts, runs and fails.
import type { ChannelStatus, Sentence } from '@parley/protocol';
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

  /** The name that the service knows the bot by. */
  setBotName(botName: string): void {
    this.#status = { ...this.#status, botName };
  }

  running(): void {
    this.#change('running', null);
  }

  /** The bot keeps retrying. */
  connecting(reason: Sentence): void {
    this.#change('connecting', reason);
  }

  /** Somebody has to act; the reason says how. */
  failed(reason: Sentence): void {
    this.#change('failed', reason);
  }

  #change(state: ChannelStatus['state'], lastError: Sentence | null): void {
    const since = state === this.#status.state ? this.#status.since : this.#clock.now();
    this.#status = { ...this.#status, state, lastError, since };
  }
}
