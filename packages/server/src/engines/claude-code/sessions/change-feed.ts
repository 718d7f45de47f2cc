// Reports to each person which sessions were added, removed or renamed, and nothing else that is written to transcripts.
import type { SessionChange, SessionEntry, SessionIndex } from '@parley/claude-cli';
import type { PersonName, SessionId } from '@parley/protocol';
import type { CodeSession, CodeSessionChange } from '../../../domain/code-sessions.ts';
import type { Logger } from '../../../domain/logger.ts';

export interface ChangeFeedParts {
  readonly indexOf: (person: PersonName) => Promise<SessionIndex>;
  /** Whether a session in the person's home is the person's. */
  readonly isOwn: (person: PersonName, id: SessionId) => Promise<boolean>;
  readonly toSession: (entry: SessionEntry) => Promise<CodeSession>;
  readonly logger: Logger;
}

type Listener = (change: CodeSessionChange) => void;

/** The listeners of one person. */
interface Following {
  readonly listeners: Set<Listener>;
  reporting: Promise<void>;
  unfollow: (() => void) | undefined;
}

export class ChangeFeed {
  readonly #parts: ChangeFeedParts;
  readonly #people = new Map<PersonName, Following>();

  constructor(parts: ChangeFeedParts) {
    this.#parts = parts;
  }

  listen(person: PersonName, listener: Listener): () => void {
    // A separate listener for each call, so that one function may listen twice.
    const own: Listener = (change) => listener(change);
    const following = this.#people.get(person) ?? this.#follow(person);
    following.listeners.add(own);
    return () => {
      following.listeners.delete(own);
      if (following.listeners.size > 0 || this.#people.get(person) !== following) return;
      this.#people.delete(person);
      following.unfollow?.();
    };
  }

  report(person: PersonName, change: CodeSessionChange): void {
    for (const listener of this.#people.get(person)?.listeners ?? []) listener(change);
  }

  #follow(person: PersonName): Following {
    const following: Following = {
      listeners: new Set(),
      reporting: Promise.resolve(),
      unfollow: undefined,
    };
    this.#people.set(person, following);
    this.#watch(person, following).catch((error: unknown) =>
      this.#parts.logger.warn({ err: error }, 'the session list could not be watched'),
    );
    return following;
  }

  async #watch(person: PersonName, following: Following): Promise<void> {
    const index = await this.#parts.indexOf(person);
    if (this.#people.get(person) !== following) return;
    following.unfollow = index.onChange((change) => {
      // One after the other, to keep the order.
      following.reporting = following.reporting
        .then(() => this.#translate(person, change))
        .catch((error: unknown) =>
          this.#parts.logger.warn({ err: error }, 'a change of a session could not be reported'),
        );
    });
    // The index starts to watch with its first use.
    await index.files();
  }

  async #translate(person: PersonName, change: SessionChange): Promise<void> {
    const id = change.kind === 'removed' ? change.sessionId : change.entry.sessionId;
    if (!(await this.#parts.isOwn(person, id))) return;
    switch (change.kind) {
      case 'removed':
        this.report(person, { type: 'removed', id });
        return;
      case 'added':
        if (change.entry.titleSource !== 'none') await this.#reportEntry(person, 'added', change.entry);
        return;
      case 'changed':
        if (change.what.includes('title')) await this.#reportEntry(person, 'title', change.entry);
        return;
      default:
        change satisfies never;
    }
  }

  async #reportEntry(person: PersonName, type: 'added' | 'title', entry: SessionEntry): Promise<void> {
    this.report(person, { type, session: await this.#parts.toSession(entry) });
  }
}
