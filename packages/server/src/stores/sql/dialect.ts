// What SQLite and PostgreSQL do differently, as far as the shared queries have to know.
import type { Message, PersonName, SessionId, Turn, TurnId } from '@parley/protocol';
import type { RawBuilder } from 'kysely';
import type { SearchHit } from '../../domain/store.ts';
import type { Work } from './work.ts';

export interface Dialect {
  /** A list of any length as one value, for `IN`. */
  readonly listed: (texts: readonly string[]) => RawBuilder<string>;
  /** The next position in the order of admission, as SQL. */
  readonly nextPosition: string;
  readonly fullText: FullText;
  /** Keeps everybody else from changing the table until the end of the transaction. */
  readonly lock: (table: string) => Work<void>;
  /** Calls `remove`, which deletes a session, and removes what isn't deleted along with it. */
  readonly removing: <T>(session: SessionId, remove: () => Work<T>) => Work<T>;
  /** How many bytes are stored for a person. */
  readonly storedBytes: (person: PersonName) => Work<number>;
}

/** The texts of prompts and messages, and their index. */
export interface FullText {
  add(turn: TurnId, role: Message['role'], text: string): Work<void>;
  /** Calls `take` with the person's passages that have all of these words, newest first, until it returns false. */
  match(wanted: WantedWords, take: (found: readonly Match[]) => boolean): Work<void>;
}

export interface WantedWords {
  readonly person: PersonName;
  readonly words: readonly string[];
  /** The last word is the start of a longer one. */
  readonly isLastCut: boolean;
}

/** A passage that matches. */
export interface Match extends Omit<SearchHit, 'snippet'> {
  readonly id: number;
  readonly status: Turn['status'];
}
