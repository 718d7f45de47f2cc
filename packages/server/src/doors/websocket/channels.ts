// Which sessions are watched. All pages of a session share its channel; it outlives the last of them for a while,
// so that a page that lost its connection finds what it missed.
import type { PersonName, SessionId } from '@parley/protocol';
import type { CodeSessions } from '../../domain/code-sessions.ts';
import type { Gateway } from '../../domain/gateway.ts';
import type { Logger } from '../../domain/logger.ts';
import { Channel } from './channel.ts';
import type { MessageLogLimits } from './message-log.ts';

export interface ChannelsOptions {
  readonly gateway: Gateway;
  readonly sessions: Pick<CodeSessions, 'todos'>;
  readonly logger: Logger;
  readonly log: MessageLogLimits;
  /** How long a channel stays without pages. */
  readonly lingerMs: number;
  /** Channels without pages; beyond it the one that has been so for longest goes first. */
  readonly mostLingering: number;
}

export interface Subscription {
  readonly channel: Channel;
  readonly leave: () => void;
}

interface Entry {
  readonly channel: Promise<Channel>;
  pages: number;
}

export class Channels {
  readonly #options: ChannelsOptions;
  readonly #entries = new Map<SessionId, Entry>();
  readonly #lingering = new Map<SessionId, NodeJS.Timeout>();

  constructor(options: ChannelsOptions) {
    this.#options = options;
  }

  /** `not_found` for a session that is not the person's. */
  async join(person: PersonName, id: SessionId): Promise<Subscription> {
    // The channel was opened for the session's person; who asks now is checked anew.
    await this.#options.gateway.getSession(person, id);
    const entry = this.#entries.get(id) ?? this.#open(person, id);
    entry.pages += 1;
    this.#stay(id);
    let hasLeft = false;
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      entry.pages -= 1;
      if (entry.pages === 0 && this.#entries.get(id) === entry) this.#linger(id);
    };
    return { channel: await entry.channel, leave };
  }

  async close(): Promise<void> {
    for (const timer of this.#lingering.values()) clearTimeout(timer);
    this.#lingering.clear();
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const { channel } of entries) (await channel.catch(() => undefined))?.close();
  }

  #open(person: PersonName, id: SessionId): Entry {
    const { gateway, sessions, log, logger } = this.#options;
    const readTodos = () => sessions.todos(person, id);
    const channel = Channel.open(gateway, person, id, { readTodos, limits: log, logger });
    const entry = { channel, pages: 0 };
    this.#entries.set(id, entry);
    const forget = () => this.#drop(id, entry);
    // One that has ended, such as by the session's deletion, is not joined again.
    void channel.then(({ done }) => done).then(forget, forget);
    return entry;
  }

  #linger(id: SessionId): void {
    this.#stay(id);
    const timer = setTimeout(() => this.#end(id), this.#options.lingerMs).unref();
    this.#lingering.set(id, timer);
    const [oldest] = this.#lingering.keys();
    if (this.#lingering.size > this.#options.mostLingering && oldest !== undefined) this.#end(oldest);
  }

  #stay(id: SessionId): void {
    clearTimeout(this.#lingering.get(id));
    this.#lingering.delete(id);
  }

  #end(id: SessionId): void {
    this.#stay(id);
    const entry = this.#entries.get(id);
    if (entry) this.#drop(id, entry);
  }

  #drop(id: SessionId, entry: Entry): void {
    if (this.#entries.get(id) === entry) this.#entries.delete(id);
    void entry.channel.then(
      (channel) => channel.close(),
      () => undefined,
    );
  }
}
