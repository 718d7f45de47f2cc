// The outbox port: which messages from chat services still need an answer, and how far each answer was delivered. It
// makes sure that a message is answered exactly once, even if the server crashes in between.
import type { PersonName, Seq, SessionId, TurnId } from '@parley/protocol';

/** The turn that produces the answer. */
export interface OwedTurn {
  readonly person: PersonName;
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  /** Events of the turn come after this number. */
  readonly after: Seq;
}

export interface OwedAnswer {
  /** Identifies the message to answer, such as `telegram:4711`; the same key is never added twice. */
  readonly key: string;
  readonly channel: string;
  /** What the bot needs to find the chat again. Only the bot reads it. */
  readonly address: unknown;
  /** Absent when the text is known without a turn. */
  readonly turn?: OwedTurn;
  /** The answer, once it is known. */
  readonly text?: string;
  /** How many messages of the answer were delivered. */
  readonly sentParts: number;
  /** Set while a message is being sent: what the bot needs to find out whether it arrived. */
  readonly attempt?: unknown;
  /** A progress message that has to be removed. */
  readonly status?: unknown;
  readonly owedAt: number;
}

export interface NewAnswer
  extends Pick<OwedAnswer, 'key' | 'channel' | 'address' | 'turn' | 'text' | 'owedAt'> {
  /** Keys of other messages that this answer covers. */
  readonly also?: readonly string[];
}

export type AnswerProgress = Partial<Pick<OwedAnswer, 'text' | 'sentParts' | 'status'>> & {
  /** `undefined` means that nothing is being sent. */
  readonly attempt?: unknown;
};

/** Every call rejects with `ParleyError('unavailable')` when the database cannot be used. */
export interface Outbox {
  /** False, and nothing is written, when the key is already known, answered or not. Durable. */
  owe(answer: NewAnswer): Promise<boolean>;
  /** Whether the key is known, answered or not. */
  knows(key: string): Promise<boolean>;
  /** Unfinished answers of a bot, oldest first. */
  owed(channel: string): Promise<readonly OwedAnswer[]>;
  /** Changes only the given fields. Durable. */
  advance(key: string, progress: AnswerProgress): Promise<void>;
  /** The answer was delivered, or never will be. Removes its text, but keeps its key. Durable. */
  settle(key: string, at: number): Promise<void>;
  /** Remembers the highest message number of a chat, or of a group of chats that share their numbers. */
  mark(channel: string, counter: string, highest: number): Promise<void>;
  marks(channel: string): Promise<ReadonlyMap<string, number>>;
  /** Removes the keys of answers settled before this time. */
  forgetSettled(before: number): Promise<void>;
}
