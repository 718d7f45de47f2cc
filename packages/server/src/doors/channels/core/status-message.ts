// One message that shows how a turn goes, changed in place and not too often, and gone when the turn is over.
// It is a convenience: when the service does not take it, nothing else suffers.
import { ChannelError, type ChatAddress, type MessageRef } from './channel.ts';
import type { Outlet } from './outlet.ts';

export interface StatusPace {
  /** A turn that is over before this shows none. */
  readonly firstMs: number;
  readonly everyMs: number;
  /** How often the typing signal is given: services show one for about five seconds. */
  readonly typingMs: number;
}

export const usualPace: StatusPace = { firstMs: 1_500, everyMs: 3_000, typingMs: 4_000 };

export class StatusMessage {
  readonly #outlet: Outlet;
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
  /** Whether the typing signal is given. */
  isTyping = true;

  constructor(setup: {
    readonly outlet: Outlet;
    readonly chat: ChatAddress;
    readonly pace: StatusPace;
    readonly signal: AbortSignal;
    /** Told once, before the message counts as shown, so that it can be removed after a crash. */
    readonly onShown: (ref: MessageRef) => Promise<void>;
  }) {
    this.#outlet = setup.outlet;
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

  /** No more changes. The message stays until it is removed. */
  async end(): Promise<MessageRef | undefined> {
    this.#isOver = true;
    clearInterval(this.#typing);
    clearTimeout(this.#timer);
    await this.#working;
    return this.#ref;
  }

  #type(): void {
    if (!this.isTyping) return;
    this.#outlet.showTyping(this.#chat, this.#signal).catch(() => undefined);
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
      if (this.#ref) await this.#outlet.edit(this.#chat, this.#ref, { text }, this.#signal);
      else {
        this.#ref = await this.#outlet.send(this.#chat, { text, isSilent: true }, this.#signal);
        await this.#onShown(this.#ref);
      }
      this.#shown = text;
    } catch (error) {
      // Not shown now: with what comes next, and not before the service is ready for it.
      this.#shown = text;
      if (error instanceof ChannelError) this.#waitMs = Math.max(this.#waitMs, error.retryAfterMs ?? 0);
    }
  }
}
