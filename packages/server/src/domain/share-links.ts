// Links that show some turns of a session to whoever has them, without a login.
import type { PersonName, SessionId, TurnId } from '@parley/protocol';

export interface ShareLink {
  readonly id: string;
  /** The hash of the secret in the link, which is not stored. */
  readonly sha256: string;
  readonly session: SessionId;
  /** Who made it. It shows what they may see, as long as they may share it. */
  readonly person: PersonName;
  /** Chosen when the link was made: later turns are not shown. */
  readonly turns: readonly TurnId[];
  /** Whether these were all turns. If not, the title is not shown: it may come from a turn that is left out. */
  readonly isWhole: boolean;
  readonly language: 'en' | 'de';
  readonly createdAt: number;
  readonly expiresAt: number;
}

/**
 * Links that have expired or whose session is gone are not found, and the next write removes them. Every call rejects with
 * `unavailable` when the database cannot be used; every write is durable.
 */
export interface ShareLinkStore {
  /** The links of one session, the oldest first. */
  list(session: SessionId, now: number): Promise<readonly ShareLink[]>;
  find(sha256: string, now: number): Promise<ShareLink | undefined>;
  add(link: ShareLink): Promise<void>;
  /** False if the session has no such link. */
  remove(session: SessionId, id: string): Promise<boolean>;
}
