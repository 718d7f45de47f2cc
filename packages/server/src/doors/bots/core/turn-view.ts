// Shows a running turn in a chat: typing, one status message with its tools, and permission cards. It also logs the
// tools and stops a turn that needs too many rounds of them. It does not send the answer.
import { messageText, type PermissionId, type SessionEvent } from '@parley/protocol';
import { waitingText } from '../../../content/waiting-time.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import type { Outbox, OwedTurn } from '../../../domain/outbox.ts';
import type { ChatAddress, MessageRef } from './bot.ts';
import type { ChatLog } from './chat-log.ts';
import type { Messenger } from './messenger.ts';
import type { PermissionCards } from './permission-cards.ts';
import { StatusMessage, type StatusPace } from './status-message.ts';
import { ToolActivity } from './tool-activity.ts';

export interface TurnViewSetup {
  readonly key: string;
  readonly messenger: Messenger;
  readonly chat: ChatAddress;
  readonly turn: OwedTurn;
  readonly gateway: Pick<Gateway, 'interrupt'>;
  readonly outbox: Pick<Outbox, 'advance'>;
  readonly cards: PermissionCards;
  readonly log: ChatLog;
  readonly clock: Clock;
  readonly pace: StatusPace;
  readonly maxRounds: number;
  readonly signal: AbortSignal;
}

/** Codes of the notices that are added to the answer. */
const remarkable = new Set(['untrusted_folder', 'not-saved', 'budget']);

export class TurnView {
  readonly #setup: TurnViewSetup;
  readonly #status: StatusMessage;
  readonly #tools = new ToolActivity();
  readonly #latestText = new LatestText();
  readonly #startedAt = new Map<string, number>();
  readonly #undecided = new Set<PermissionId>();
  /** Whether the turn waits for other sessions. */
  #isWaiting = false;
  #roundLimit: number | undefined;
  readonly #remarks: string[] = [];

  constructor(setup: TurnViewSetup) {
    this.#setup = setup;
    this.#status = new StatusMessage({
      ...setup,
      onShown: (ref) => setup.outbox.advance(setup.key, { status: ref }),
    });
  }

  /** Set when the turn was stopped because it reached this many rounds. */
  get roundLimit(): number | undefined {
    return this.#roundLimit;
  }

  /** What to tell the chat in addition to the answer. */
  get remarks(): readonly string[] {
    return this.#remarks;
  }

  onEvent(event: SessionEvent): void {
    const { cards, messenger, chat, turn } = this.#setup;
    this.#logTool(event);
    this.#latestText.add(event);
    if (this.#tools.add(event)) this.#status.show(this.#tools.text);
    this.#limitRounds();
    switch (event.type) {
      case 'queue.blocked':
        this.#setWaiting(true);
        return this.#status.show(waitingText(event.ahead));
      case 'turn.started':
        if (this.#isWaiting) this.#status.show(this.#tools.text);
        return this.#setWaiting(false);
      case 'permission.asked':
        this.#setUndecided(event.id, true);
        return cards.ask(event.id, event.request, {
          messenger,
          chat,
          ...turn,
          latestText: this.#latestText.text,
        });
      case 'permission.settled':
        this.#setUndecided(event.id, false);
        return cards.settle(event.id, event.decision, event.reason);
      case 'notice':
        if (remarkable.has(event.code)) this.#remarks.push(event.message);
        if (event.code === 'retrying') this.#status.show(event.message);
        return;
      default:
    }
  }

  /** Resolves to the status message, if there is one, so that it can be removed once the answer is sent. */
  end(): Promise<MessageRef | undefined> {
    return this.#status.end();
  }

  #setUndecided(id: PermissionId, isUndecided: boolean): void {
    if (isUndecided) this.#undecided.add(id);
    else this.#undecided.delete(id);
    this.#updateTyping();
  }

  #setWaiting(isWaiting: boolean): void {
    this.#isWaiting = isWaiting;
    this.#updateTyping();
  }

  /** While a person has to decide or the turn waits for others, the bot does not show that it is typing. */
  #updateTyping(): void {
    this.#status.isTyping = this.#undecided.size === 0 && !this.#isWaiting;
  }

  #limitRounds(): void {
    const { gateway, turn, maxRounds, log, chat } = this.#setup;
    if (this.#roundLimit !== undefined || this.#tools.rounds <= maxRounds) return;
    this.#roundLimit = maxRounds;
    gateway.interrupt(turn.person, turn.sessionId).catch((error: unknown) => {
      log.write('error', chat, { err: error }, 'failed to stop a turn with too many rounds of tools');
    });
  }

  #logTool(event: SessionEvent): void {
    const { log, chat, clock } = this.#setup;
    if (event.type === 'tool.started') {
      this.#startedAt.set(event.id, clock.now());
      log.write('tool_call', chat, { tool: event.tool }, 'a tool was called');
    } else if (event.type === 'tool.ended') {
      const startedAt = this.#startedAt.get(event.id) ?? clock.now();
      this.#startedAt.delete(event.id);
      const { tool, outcome } = event;
      const durationMs = clock.now() - startedAt;
      log.write('tool_result', chat, { tool, outcome, durationMs }, 'a tool returned');
    }
  }
}

/** In characters; the start of a longer text is dropped. */
const longestText = 20_000;

/** The latest text of the model in a turn. Calling a tool does not replace it, because it may be a plan. */
class LatestText {
  #complete = '';
  #streaming = '';

  get text(): string {
    return this.#streaming.trim() || this.#complete.trim();
  }

  add(event: SessionEvent): void {
    switch (event.type) {
      case 'text.delta':
        this.#streaming = (this.#streaming + event.text).slice(-longestText);
        return;
      case 'message':
        if (event.role === 'assistant') this.#end(messageText(event.content));
        return;
      case 'tool.started':
        this.#end(this.#streaming);
        return;
      default:
    }
  }

  #end(text: string): void {
    if (text.trim() !== '') this.#complete = text.slice(-longestText);
    this.#streaming = '';
  }
}
