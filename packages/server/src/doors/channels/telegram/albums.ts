// Photos that somebody sent together come as messages of their own. Those of an album wait for each other and are
// handed on as one; none of them is confirmed before all are durable.
import { conversationKey, type Inbound } from '../core/channel.ts';

/** Longer than the pause after which the service is asked again, so that the rest of an album is seen. */
const waitMs = 1_500;
/** As many as the service puts into one. */
const mostParts = 10;

interface Album {
  readonly id: string;
  /** All but the first. */
  readonly others: Inbound[];
  readonly timer: NodeJS.Timeout;
  /** What `receive` says of all of it. */
  readonly received: Promise<void>;
  /** Hands it on, before it returns. */
  readonly close: () => void;
}

export class Albums {
  readonly #receive: (first: Inbound, others: readonly Inbound[]) => Promise<void>;
  /** At most one in each chat. */
  readonly #open = new Map<string, Album>();

  constructor(receive: (first: Inbound, others: readonly Inbound[]) => Promise<void>) {
    this.#receive = receive;
  }

  /** What comes later in a chat is handed on later. Resolves and rejects as `receive` does. */
  add(inbound: Inbound, albumId: string | undefined): Promise<void> {
    const chat = conversationKey(inbound.chat);
    const open = this.#open.get(chat);
    if (open && open.id !== albumId) open.close();
    // An album may hold videos too, which are answered for themselves.
    if (albumId === undefined || !hasPictures(inbound)) return this.#receive(inbound, []);
    if (open?.id !== albumId) return this.#begin(chat, albumId, inbound);
    open.others.push(inbound);
    open.timer.refresh();
    if (open.others.length + 1 >= mostParts) open.close();
    return open.received;
  }

  /** Hands on what waits. */
  close(): void {
    for (const album of this.#open.values()) album.close();
  }

  #begin(chat: string, id: string, first: Inbound): Promise<void> {
    const others: Inbound[] = [];
    let settle: (received: Promise<void>) => void = () => undefined;
    const received = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const close = () => {
      clearTimeout(timer);
      this.#open.delete(chat);
      settle(this.#receive(first, others));
    };
    const timer = setTimeout(close, waitMs);
    this.#open.set(chat, { id, others, timer, received, close });
    return received;
  }
}

function hasPictures({ content }: Inbound): boolean {
  return content.kind === 'text' && content.loadImages !== undefined;
}
