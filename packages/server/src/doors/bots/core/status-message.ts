// One message that shows the progress of a turn. It is edited in place, at a limited rate, and removed after the turn.
// It is a convenience: when the service rejects it, nothing else is affected.
import { type ChatAddress, type MessageRef, ServiceError } from './bot.ts';
import type { Messenger } from './messenger.ts';

export interface StatusPace {
  /** A turn that ends sooner shows no status. */
  readonly firstMs: number;
  readonly everyMs: number;
  /** How often typing is signaled. Services show it for about five seconds. */
  readonly typingMs: number;
}

export const defaultPace: StatusPace = { firstMs: 1_500, everyMs: 3_000, typingMs: 4_000 };

interface StatusSetup {
  readonly messenger: Messenger;
  readonly chat: ChatAddress;
  readonly pace: StatusPace;
  readonly signal: AbortSignal;
  /** Called once, before the message counts as shown, so that it can be removed after a crash. */
  readonly onShown: (ref: MessageRef) => Promise<void>;
}

export class StatusMessage {
  readonly #setup: StatusSetup;
  readonly #typing: NodeJS.Timeout;
  #wanted: string | undefined;
  #shown: string | undefined;
  #ref: MessageRef | undefined;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #waitMs: number;
  #isOver = false;
  /** Whether the chat shows that the bot is typing. */
  isTyping = true;

  constructor(setup: StatusSetup) {
    this.#setup = setup;
    this.#waitMs = setup.pace.firstMs;
    this.#type();
    this.#typing = setInterval(() => this.#type(), setup.pace.typingMs);
  }

  show(text: string): void {
    this.#wanted = text;
    this.#schedule();
  }

  /** Stops all changes. The message stays until it is removed. */
  async end(): Promise<MessageRef | undefined> {
    this.#isOver = true;
    clearInterval(this.#typing);
    clearTimeout(this.#timer);
    await this.#working;
    return this.#ref;
  }

  #type(): void {
    const { messenger, chat, signal } = this.#setup;
    if (this.isTyping) messenger.showTyping(chat, signal).catch(() => undefined);
  }

  #schedule(): void {
    if (this.#isOver || this.#timer || this.#working || this.#wanted === this.#shown) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#working = this.#update().finally(() => {
        this.#working = undefined;
        this.#schedule();
      });
    }, this.#waitMs);
  }

  async #update(): Promise<void> {
    const { messenger, chat, pace, signal, onShown } = this.#setup;
    const text = this.#wanted ?? '';
    this.#waitMs = pace.everyMs;
    try {
      if (this.#ref) await messenger.edit(chat, this.#ref, { text }, signal);
      else {
        this.#ref = await messenger.send(chat, { text, isSilent: true }, signal);
        await onShown(this.#ref);
      }
      this.#shown = text;
    } catch (error) {
      // Skip this text: the next one replaces it, once the service accepts messages again.
      this.#shown = text;
      if (error instanceof ServiceError) this.#waitMs = Math.max(this.#waitMs, error.retryAfterMs ?? 0);
    }
  }
}
