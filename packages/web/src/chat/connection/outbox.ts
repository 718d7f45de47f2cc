// Messages on their way to the server. Each has a key, so that sending it again never makes it a second message.
import { ApiError, request } from '../../api/http.ts';
import { newId } from '../../api/new-id.ts';
import type { AttachedImage } from '../../pictures/attached-image.ts';
import { type Conversation, emptyConversation } from '../model/conversation.ts';

export interface Message {
  readonly text: string;
  readonly images: readonly AttachedImage[];
}

export interface SentMessage extends Message {
  readonly key: string;
  /** Known once the server has taken it. */
  readonly turnId: string | undefined;
  readonly error: ApiError | undefined;
}

export class Outbox {
  readonly #sessionId: string;
  readonly #changed: (messages: readonly SentMessage[]) => void;
  #messages: readonly SentMessage[] = [];
  #conversation: Conversation = emptyConversation;

  constructor(sessionId: string, changed: (messages: readonly SentMessage[]) => void) {
    this.#sessionId = sessionId;
    this.#changed = changed;
  }

  send(message: Message): void {
    const sent = { ...message, key: newId(), turnId: undefined, error: undefined };
    this.#set([...this.#messages, sent]);
    void this.#deliver(sent);
  }

  retry(key: string): void {
    const message = this.#messages.find((candidate) => candidate.key === key);
    if (!message?.error) return;
    this.#change(key, { error: undefined });
    void this.#deliver(message);
  }

  /** Those that failed for want of a connection. */
  retryUnreached(): void {
    for (const { key, error } of this.#messages) if (error?.code === 'offline') this.retry(key);
  }

  discard(key: string): void {
    this.#set(this.#messages.filter((message) => message.key !== key));
  }

  /** Forgets what the conversation shows by itself. */
  settle(conversation: Conversation): void {
    this.#conversation = conversation;
    const { turns, queue } = conversation;
    const known = new Set([...turns.map(({ id }) => id), ...queue.map(({ turnId }) => turnId)]);
    const rest = this.#messages.filter(({ turnId }) => turnId === undefined || !known.has(turnId));
    if (rest.length < this.#messages.length) this.#set(rest);
  }

  async #deliver({ key, text, images }: SentMessage): Promise<void> {
    try {
      const response = await request(`/api/sessions/${this.#sessionId}/prompts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({
          ...(text !== '' && { message: text }),
          ...(images.length > 0 && {
            images: images.map(({ data, mediaType }) => ({ data, media_type: mediaType })),
          }),
        }),
      });
      const { turnId } = (await response.json()) as { turnId: string };
      this.#change(key, { turnId });
      // Its whole turn may have been shown before the server's receipt came.
      this.settle(this.#conversation);
    } catch (error) {
      this.#change(key, {
        error: error instanceof ApiError ? error : new ApiError(0, 'offline', 'The message was not sent.'),
      });
    }
  }

  #change(key: string, change: Partial<SentMessage>): void {
    this.#set(this.#messages.map((message) => (message.key === key ? { ...message, ...change } : message)));
  }

  #set(messages: readonly SentMessage[]): void {
    this.#messages = messages;
    this.#changed(messages);
  }
}
