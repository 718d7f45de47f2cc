// Telegram delivers the photos of an album as separate messages. Here they wait for each other and are handed on as one;
// none of them is confirmed before all are durable.
import { chatKey, type Inbound } from '../core/bot.ts';

/** Longer than the time between two polls, so that the rest of an album can arrive. */
const waitMs = 1_500;
/** Telegram's limit for one album. */
const maxParts = 10;

interface Album {
  readonly id: string;
  /** All but the first. */
  readonly others: Inbound[];
  readonly timer: NodeJS.Timeout;
  /** The result of `receive` for the whole album. */
  readonly received: Promise<void>;
  /** Hands the album on synchronously. */
  readonly close: () => void;
}

export class Albums {
  readonly #receive: (first: Inbound, others: readonly Inbound[]) => Promise<void>;
  /** At most one per chat. */
  readonly #open = new Map<string, Album>();

  constructor(receive: (first: Inbound, others: readonly Inbound[]) => Promise<void>) {
    this.#receive = receive;
  }

  /** Keeps the order of a chat's messages. Resolves and rejects like `receive`. */
  add(inbound: Inbound, albumId: string | undefined): Promise<void> {
    const chat = chatKey(inbound.chat);
    const open = this.#open.get(chat);
    if (open && open.id !== albumId) open.close();
    // An album may contain videos too, which are answered separately.
    if (albumId === undefined || !hasAttachments(inbound)) return this.#receive(inbound, []);
    if (open?.id !== albumId) return this.#start(chat, albumId, inbound);
    open.others.push(inbound);
    open.timer.refresh();
    if (open.others.length + 1 >= maxParts) open.close();
    return open.received;
  }

  /** Hands on all waiting albums. */
  close(): void {
    for (const album of this.#open.values()) album.close();
  }

  #start(chat: string, id: string, first: Inbound): Promise<void> {
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

function hasAttachments({ content }: Inbound): boolean {
  return content.kind === 'text' && content.loadAttachments !== undefined;
}
