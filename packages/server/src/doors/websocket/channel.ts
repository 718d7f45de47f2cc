// One session as all its pages watch it: reads the gateway once, encodes every message once, and numbers them.
import { type CodeModel, ParleyError, type PersonName, type SessionId, type Todo } from '@parley/protocol';
import type { Gateway, WatchedSession } from '../../domain/gateway.ts';
import type { Logger } from '../../domain/logger.ts';
import { MessageLog, type MessageLogLimits } from './message-log.ts';
import { initialPageState, type PageState, tell, toQueueData } from './page-state.ts';

export interface ChannelOptions {
  /** What the session's task list is at the time. */
  readonly readTodos: () => Promise<readonly Todo[]>;
  readonly limits: MessageLogLimits;
  readonly logger: Logger;
}

export class Channel {
  readonly log: MessageLog;
  /** Resolves when no message will come any more. */
  readonly done: Promise<void>;
  readonly #controller: AbortController;
  #state: PageState;
  #turnBegan: number;
  #offered: readonly CodeModel[] | undefined;
  #ended: ParleyError | undefined;

  /** Begins at the number of the session's last event, so that no number of an earlier channel means another message. */
  private constructor(
    { state, events }: WatchedSession,
    todos: readonly Todo[],
    controller: AbortController,
    { limits, logger }: ChannelOptions,
  ) {
    this.log = new MessageLog(state.lastSeq, limits);
    this.#state = initialPageState(state, todos);
    this.#turnBegan = state.lastSeq;
    this.#controller = controller;
    this.done = this.#read(events, logger);
  }

  static async open(
    gateway: Gateway,
    person: PersonName,
    id: SessionId,
    options: ChannelOptions,
  ): Promise<Channel> {
    const controller = new AbortController();
    try {
      // Watched first: a change that is too late for the list comes as an event.
      const watched = await gateway.watch(person, id, controller.signal);
      return new Channel(watched, await options.readTodos(), controller, options);
    } catch (error) {
      controller.abort();
      throw error;
    }
  }

  get state(): PageState {
    return this.#state;
  }

  /** The number before the first message of the newest turn. */
  get turnBegan(): number {
    return this.#turnBegan;
  }

  /** Why no message will come any more. */
  get ended(): ParleyError | undefined {
    return this.#ended;
  }

  /** Tells the pages which models there are, where they have not been told already. */
  offer(models: readonly CodeModel[]): void {
    if (this.#offered === models) return;
    this.#offered = models;
    const data = { ...toQueueData(this.#state), models: [...models] };
    this.log.append([{ type: 'queue_update', data }]);
  }

  close(): void {
    this.#controller.abort();
  }

  async #read(events: WatchedSession['events'], logger: Logger): Promise<void> {
    try {
      for await (const envelope of events) {
        const { event } = envelope;
        if (event.type === 'frame') {
          this.log.appendFrame(event.raw);
          continue;
        }
        if (event.type === 'turn.started') this.#turnBegan = this.log.last;
        const { state, messages } = tell(envelope, this.#state);
        this.#state = state;
        if (messages.length > 0) this.log.append(messages);
      }
      this.#ended = sessionEnded;
    } catch (error) {
      this.#ended = ParleyError.from(error);
      if (this.#ended.code === 'internal') logger.error({ err: error }, 'a session could not be watched');
    } finally {
      this.#controller.abort();
      this.log.nudge();
    }
  }
}

const sessionEnded = new ParleyError('not_found', 'The session was closed.');
