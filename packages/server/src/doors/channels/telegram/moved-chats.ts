// Groups that became supergroups. Such a chat goes on under another id, and the old one is refused with the new one.
import { GrammyError } from 'grammy';

/** Chats that are remembered; for others the service says it again. */
const mostMoved = 1_000;

export class MovedChats {
  readonly #now = new Map<string, string>();

  moved(from: string, to: string): void {
    this.#now.set(from, to);
    const [oldest] = this.#now.keys();
    if (this.#now.size > mostMoved && oldest !== undefined) this.#now.delete(oldest);
  }

  /** The id that the chat has now. */
  now(chatId: string): string {
    return this.#now.get(chatId) ?? chatId;
  }

  /** A call in the chat, wherever it is. */
  async find<T>(chatId: string, call: (now: string) => Promise<T>): Promise<T> {
    try {
      return await call(this.now(chatId));
    } catch (error) {
      const to = error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined;
      if (to === undefined) throw error;
      this.moved(chatId, String(to));
      return call(String(to));
    }
  }
}
