// A running turn in a chat: typing, one status message with its tools, permission cards, and a limit on rounds of
// tools. It shows, logs and counts; the answer is somebody else's.
import type { PermissionId, SessionEvent } from '@parley/protocol';
import type { Clock } from '../../../domain/clock.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import type { Outbox, OwedTurn } from '../../../domain/outbox.ts';
import type { ChatAddress, MessageRef } from './channel.ts';
import type { ChannelLog } from './channel-log.ts';
import { LastWords } from './last-words.ts';
import type { Outlet } from './outlet.ts';
import type { PermissionCards } from './permission-cards.ts';
import { StatusMessage, type StatusPace } from './status-message.ts';
import { ToolActivity } from './tool-activity.ts';

export interface TurnViewSetup {
  readonly key: string;
  readonly outlet: Outlet;
  readonly chat: ChatAddress;
  readonly turn: OwedTurn;
  readonly gateway: Pick<Gateway, 'interrupt'>;
  readonly outbox: Pick<Outbox, 'advance'>;
  readonly cards: PermissionCards;
  readonly log: ChannelLog;
  readonly clock: Clock;
  readonly pace: StatusPace;
  readonly mostRounds: number;
  readonly signal: AbortSignal;
}

export class TurnView {
  readonly #setup: TurnViewSetup;
  readonly #status: StatusMessage;
  readonly #tools = new ToolActivity();
  readonly #words = new LastWords();
  readonly #startedAt = new Map<string, number>();
  readonly #undecided = new Set<PermissionId>();
  #roundLimit: number | undefined;

  constructor(setup: TurnViewSetup) {
    this.#setup = setup;
    this.#status = new StatusMessage({
      ...setup,
      onShown: (ref) => setup.outbox.advance(setup.key, { status: ref }),
    });
  }

  /** Set when the turn was stopped for its many rounds. */
  get roundLimit(): number | undefined {
    return this.#roundLimit;
  }

  onEvent(event: SessionEvent): void {
    const { cards, outlet, chat, turn } = this.#setup;
    this.#write(event);
    this.#words.add(event);
    if (this.#tools.add(event)) this.#status.show(this.#tools.text);
    this.#limitRounds();
    switch (event.type) {
      case 'permission.asked':
        this.#await(event.id, true);
        return cards.ask(event.id, event.request, { outlet, chat, ...turn, saidBefore: this.#words.text });
      case 'permission.settled':
        this.#await(event.id, false);
        return cards.settle(event.id, event.decision, event.reason);
      default:
    }
  }

  /** The status message, if there is one, for removal once the answer is there. */
  end(): Promise<MessageRef | undefined> {
    return this.#status.end();
  }

  /** While somebody has to decide, it is not the bot who is busy. */
  #await(id: PermissionId, isOpen: boolean): void {
    if (isOpen) this.#undecided.add(id);
    else this.#undecided.delete(id);
    this.#status.isTyping = this.#undecided.size === 0;
  }

  #limitRounds(): void {
    const { gateway, turn, mostRounds, log, chat } = this.#setup;
    if (this.#roundLimit !== undefined || this.#tools.rounds <= mostRounds) return;
    this.#roundLimit = mostRounds;
    gateway.interrupt(turn.person, turn.sessionId).catch((error: unknown) => {
      log.write('error', chat, { err: error }, 'a turn with too many rounds of tools could not be stopped');
    });
  }

  #write(event: SessionEvent): void {
    const { log, chat, clock } = this.#setup;
    if (event.type === 'tool.started') {
      this.#startedAt.set(event.id, clock.now());
      log.write('tool_call', chat, { tool: event.tool }, 'a tool was called');
    } else if (event.type === 'tool.ended') {
      const startedAt = this.#startedAt.get(event.id) ?? clock.now();
      this.#startedAt.delete(event.id);
      const { tool, outcome } = event;
      log.write(
        'tool_result',
        chat,
        { tool, outcome, durationMs: clock.now() - startedAt },
        'a tool answered',
      );
    }
  }
}
