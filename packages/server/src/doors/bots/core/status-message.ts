// One message that shows the progress of a turn. It is edited in place, at a limited rate, and removed after the turn.
// It is a convenience: when the service rejects it, nothing else is affected.
import { type ChatAddress, type MessageRef, ServiceError } from './bot.ts';
import type { Messenger } from './messenger.ts';

export interface StatusPace {
  /** A turn that ends sooner shows none. */
  readonly firstMs: number;
  readonly everyMs: number;
  /** How often typing is signalled. Services show it for about five seconds. */
  readonly typingMs: number;
}

export const defaultPace: StatusPace = { firstMs: 1_500, everyMs: 3_000, typingMs: 4_000 };

export class StatusMessage {
  readonly #messenger: Messenger;
  readonly #chat: ChatAddress;
  readonly #pace: StatusPace;
  readonly #signal: AbortSignal;
  readonly #onShown: (ref: MessageRef) => Promise<void>;
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

  constructor(setup: {
    readonly messenger: Messenger;
    readonly chat: ChatAddress;
    readonly pace: StatusPace;
    readonly signal: AbortSignal;
    /** Called once, before the message counts as shown, so that it can be removed after a crash. */
    readonly onShown: (ref: MessageRef) => Promise<void>;
  }) {
    this.#messenger = setup.messenger;
    this.#chat = setup.chat;
    this.#pace = setup.pace;
    this.#signal = setup.signal;
    this.#onShown = setup.onShown;
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
    if (!this.isTyping) return;
    this.#messenger.showTyping(this.#chat, this.#signal).catch(() => undefined);
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
    const text = this.#wanted ?? '';
    this.#waitMs = this.#pace.everyMs;
    try {
      if (this.#ref) await this.#messenger.edit(this.#chat, this.#ref, { text }, this.#signal);
      else {
        this.#ref = await this.#messenger.send(this.#chat, { text, isSilent: true }, this.#signal);
        await this.#onShown(this.#ref);
      }
      this.#shown = text;
    } catch (error) {
      // Skip this text: the next one replaces it, once the service accepts messages again.
      this.#shown = text;
      if (error instanceof ServiceError) this.#waitMs = Math.max(this.#waitMs, error.retryAfterMs ?? 0);
    }
  }
}
