// The numbers that Telegram gives to messages: private chats and small groups share one count of the bot, each
// supergroup and channel has its own. Needed only to find out, after a crash, whether a message arrived.

/** Own messages that are remembered by number, over all chats. */
const mostOwn = 1_000;

export class MessageNumbers {
  readonly #highest: Map<string, number>;
  readonly #own = new Set<string>();

  constructor(known: ReadonlyMap<string, number>) {
    this.#highest = new Map(known);
  }

  saw(chatId: string, messageId: number): void {
    const counter = counterOf(chatId);
    this.#highest.set(counter, Math.max(this.#highest.get(counter) ?? 0, messageId));
  }

  sent(chatId: string, messageId: number): void {
    this.saw(chatId, messageId);
    this.#own.add(`${chatId}:${messageId}`);
    const [oldest] = this.#own;
    if (this.#own.size > mostOwn && oldest !== undefined) this.#own.delete(oldest);
  }

  isOwn(chatId: string, messageId: number): boolean {
    return this.#own.has(`${chatId}:${messageId}`);
  }

  highest(chatId: string): number {
    return this.#highest.get(counterOf(chatId)) ?? 0;
  }

  /** The count of a chat, and how far it has come. */
  mark(chatId: string): [string, number] {
    return [counterOf(chatId), this.highest(chatId)];
  }
}

/** Ids of supergroups and channels begin with -100. */
function counterOf(chatId: string): string {
  return chatId.startsWith('-100') ? chatId : 'bot';
}
