// Which pages show which session. Only those who may see a session learn how many pages show it.
import type { LiveServerMessage, PersonName, SessionId } from '@parley/protocol';
import type { Watching } from '../../domain/push.ts';

interface WatchingPage {
  readonly person: PersonName;
  /** Somebody can see it. */
  readonly isVisible: boolean;
  send(message: LiveServerMessage): unknown;
}

export class Presence implements Watching {
  readonly #pages = new Map<SessionId, Set<WatchingPage>>();

  join(id: SessionId, page: WatchingPage): void {
    const pages = this.#pages.get(id) ?? new Set();
    this.#pages.set(id, pages.add(page));
    this.announce(id);
  }

  leave(id: SessionId, page: WatchingPage): void {
    const pages = this.#pages.get(id);
    if (!pages?.delete(page)) return;
    if (pages.size === 0) this.#pages.delete(id);
    this.announce(id);
  }

  isLooking(person: PersonName, id: SessionId): boolean {
    return [...(this.#pages.get(id) ?? [])].some((page) => page.isVisible && page.person === person);
  }

  announce(id: SessionId): void {
    const pages = [...(this.#pages.get(id) ?? [])];
    const visible = pages.filter((page) => page.isVisible).length;
    for (const page of pages) void page.send({ type: 'presence', session: id, pages: pages.length, visible });
  }
}
