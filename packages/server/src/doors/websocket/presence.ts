// Which pages show which session, on all servers. Only those who may see a session learn how many pages show it.
import type { LiveServerMessage, PersonName, SessionId } from '@parley/protocol';
import type { ActivityNews, ActivityRelay, WatchingPage } from '../../domain/activity.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Watching } from '../../domain/push.ts';

interface OpenPage extends WatchingPage {
  send(message: LiveServerMessage): unknown;
}

/** The pages on another server. */
interface Elsewhere {
  readonly sessions: ReadonlyMap<SessionId, readonly WatchingPage[]>;
  readonly heardAt: number;
}

export interface OtherServersPages {
  readonly relay: Pick<ActivityRelay, 'watching' | 'onNews'>;
  readonly clock: Clock;
  /** A server that says nothing for longer than this counts as gone, and so do its pages. */
  readonly lastsMs: number;
}

export class Presence implements Watching {
  readonly #pages = new Map<SessionId, Set<OpenPage>>();
  readonly #others: OtherServersPages | undefined;
  readonly #elsewhere = new Map<string, Elsewhere>();

  constructor(others?: OtherServersPages) {
    this.#others = others;
    others?.relay.onNews((news) => {
      if (news.type === 'watching') this.#heard(news);
    });
  }

  join(id: SessionId, page: OpenPage): void {
    const pages = this.#pages.get(id) ?? new Set();
    this.#pages.set(id, pages.add(page));
    this.announce(id);
  }

  leave(id: SessionId, page: OpenPage): void {
    const pages = this.#pages.get(id);
    if (!pages?.delete(page)) return;
    if (pages.size === 0) this.#pages.delete(id);
    this.announce(id);
  }

  isLooking(person: PersonName, id: SessionId): boolean {
    return this.#all(id).some((page) => page.isVisible && page.person === person);
  }

  /** Call this when a page has changed. */
  announce(id: SessionId): void {
    const own = [...(this.#pages.get(id) ?? [])];
    this.#others?.relay.watching(
      id,
      own.map(({ person, isVisible }) => ({ person, isVisible })),
    );
    this.#send(id);
  }

  #send(id: SessionId): void {
    const pages = this.#all(id);
    const visible = pages.filter((page) => page.isVisible).length;
    for (const page of this.#pages.get(id) ?? [])
      void page.send({ type: 'presence', session: id, pages: pages.length, visible });
  }

  #all(id: SessionId): readonly WatchingPage[] {
    this.#forgetSilent();
    const elsewhere = [...this.#elsewhere.values()].flatMap(({ sessions }) => sessions.get(id) ?? []);
    return [...(this.#pages.get(id) ?? []), ...elsewhere];
  }

  #heard({ server, sessions, isAll }: Extract<ActivityNews, { type: 'watching' }>): void {
    if (!this.#others) return;
    const before = this.#elsewhere.get(server)?.sessions ?? new Map<SessionId, readonly WatchingPage[]>();
    const now = new Map(isAll ? [] : before);
    for (const { session, pages } of sessions) {
      if (pages.length > 0) now.set(session, pages);
      else now.delete(session);
    }
    this.#elsewhere.set(server, { sessions: now, heardAt: this.#others.clock.now() });
    for (const id of this.#pages.keys())
      if (JSON.stringify(before.get(id)) !== JSON.stringify(now.get(id))) this.#send(id);
  }

  #forgetSilent(): void {
    if (!this.#others) return;
    const { clock, lastsMs } = this.#others;
    for (const [server, { heardAt }] of this.#elsewhere)
      if (clock.now() - heardAt > lastsMs) this.#elsewhere.delete(server);
  }
}
