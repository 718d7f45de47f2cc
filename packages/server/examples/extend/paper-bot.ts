// The smallest chat service: messages on paper, in memory. A real one makes a request in each method, and throws a
// ServiceError if that fails. The core does the rest: who may write, sessions, commands, queue, retries, permission cards.
import type { Bot, ChatAddress, MessageRef, OutgoingMessage } from '../../src/doors/bots/core/bot.ts';

export class PaperBot implements Bot {
  readonly name = 'telegram';
  readonly messageLength = 4_000;
  /** What people see, by the id of the message. */
  readonly papers = new Map<string, { readonly chatId: string; readonly text: string }>();
  #lastId = 0;

  /** Tells `findSent` after a crash which paper to look for. */
  prepareSend(): string {
    this.#lastId += 1;
    return String(this.#lastId);
  }

  async send({ chatId }: ChatAddress, { text }: OutgoingMessage, attempt: unknown): Promise<MessageRef> {
    const messageId = String(attempt);
    this.papers.set(messageId, { chatId, text });
    return { messageId };
  }

  async edit({ chatId }: ChatAddress, { messageId }: MessageRef, { text }: OutgoingMessage): Promise<void> {
    this.papers.set(messageId, { chatId, text });
  }

  async remove(_chat: ChatAddress, { messageId }: MessageRef): Promise<void> {
    this.papers.delete(messageId);
  }

  async showTyping(): Promise<void> {}

  async findSent(_chat: ChatAddress, attempt: unknown): Promise<boolean> {
    return this.papers.has(String(attempt));
  }
}
