// Reports to each person which sessions were added, removed or renamed, and nothing else that is written to transcripts.
import type { SessionChange, SessionEntry, SessionIndex } from '@parley/claude-cli';
import type { PersonName, SessionId } from '@parley/protocol';
import type { CodeSession, CodeSessionChange } from '../../../domain/code-sessions.ts';
import type { Logger } from '../../../domain/logger.ts';

export interface ChangeFeedParts {
  readonly ownerOf: (id: SessionId) => Promise<PersonName>;
  readonly toSession: (entry: SessionEntry) => Promise<CodeSession>;
  readonly logger: Logger;
}

type Listener = (change: CodeSessionChange) => void;

export class ChangeFeed {
  readonly #index: SessionIndex;
  readonly #parts: ChangeFeedParts;
  readonly #listeners = new Map<Listener, PersonName>();
  #reporting: Promise<void> = Promise.resolve();
  #unfollow: (() => void) | undefined;

  constructor(index: SessionIndex, parts: ChangeFeedParts) {
    this.#index = index;
    this.#parts = parts;
  }

  listen(person: PersonName, listener: Listener): () => void {
    // A separate listener for each call, so that one function may listen twice.
    const own: Listener = (change) => listener(change);
    this.#listeners.set(own, person);
    this.#follow();
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size > 0) return;
      this.#unfollow?.();
      this.#unfollow = undefined;
    };
  }

  report(person: PersonName, change: CodeSessionChange): void {
    for (const [listener, owner] of this.#listeners) if (owner === person) listener(change);
  }

  #follow(): void {
    if (this.#unfollow) return;
    this.#unfollow = this.#index.onChange((change) => {
      // One after the other, to keep the order.
      this.#reporting = this.#reporting
        .then(() => this.#translate(change))
        .catch((error: unknown) =>
          this.#parts.logger.warn({ err: error }, 'a change of a session could not be reported'),
        );
    });
    // The index watches from its first use on.
    this.#index.files().catch((error: unknown) => this.#parts.logger.warn({ err: error }, 'no session list'));
  }

  async #translate(change: SessionChange): Promise<void> {
    switch (change.kind) {
      case 'removed':
        this.report(await this.#parts.ownerOf(change.sessionId), { type: 'removed', id: change.sessionId });
        return;
      case 'added':
        if (change.entry.titleSource !== 'none') await this.#reportEntry('added', change.entry);
        return;
      case 'changed':
        if (change.what.includes('title')) await this.#reportEntry('title', change.entry);
        return;
      default:
        change satisfies never;
    }
  }

  async #reportEntry(type: 'added' | 'title', entry: SessionEntry): Promise<void> {
    const owner = await this.#parts.ownerOf(entry.sessionId);
    this.report(owner, { type, session: await this.#parts.toSession(entry) });
  }
}
