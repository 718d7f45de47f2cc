// The port of the outbox: which messages from chat services are still owed an answer, and how far each answer has
// got. With it, a message is answered once even when the server dies in between.
import type { PersonName, Seq, SessionId, TurnId } from '@parley/protocol';

/** The turn whose end is the answer. */
export interface OwedTurn {
  readonly person: PersonName;
  readonly sessionId: SessionId;
  readonly turnId: TurnId;
  /** Events of the turn come after this number. */
  readonly after: Seq;
}

export interface OwedAnswer {
  /** Of the message that is answered, such as `telegram:4711`; the same key is never owed twice. */
  readonly key: string;
  readonly channel: string;
  /** What the channel needs to find the chat again. Known to the channel alone. */
  readonly address: unknown;
  /** Absent where the text is known without one. */
  readonly turn?: OwedTurn;
  /** The answer, once it is known. */
  readonly text?: string;
  /** How many messages of the answer have arrived. */
  readonly sentParts: number;
  /** Set while a message is on its way: what the channel needs to find out whether it arrived. */
  readonly attempt?: unknown;
  /** A message that shows progress and is to be removed. */
  readonly status?: unknown;
  readonly owedAt: number;
}

export interface NewAnswer
  extends Pick<OwedAnswer, 'key' | 'channel' | 'address' | 'turn' | 'text' | 'owedAt'> {
  /** The keys of further messages that are answered with it, which are known from then on. */
  readonly also?: readonly string[];
}

export type AnswerProgress = Partial<Pick<OwedAnswer, 'text' | 'sentParts' | 'status'>> & {
  /** `undefined` says that nothing is on its way any more. */
  readonly attempt?: unknown;
};

/** Every call rejects with `ParleyError('unavailable')` when the database cannot be used. */
export interface Outbox {
  /** False when the key is known, answered or not; nothing was written then. Durable. */
  owe(answer: NewAnswer): Promise<boolean>;
  /** Whether the key is known, answered or not. */
  knows(key: string): Promise<boolean>;
  /** What a channel still owes, oldest first. */
  owed(channel: string): Promise<readonly OwedAnswer[]>;
  /** Changes only the given fields. Durable. */
  advance(key: string, progress: AnswerProgress): Promise<void>;
  /** The answer has arrived, or never will. Its text is forgotten, its key is not. Durable. */
  settle(key: string, at: number): Promise<void>;
  /** Remembers the highest number of a message in a chat, or in a group of chats that are numbered together. */
  mark(channel: string, counter: string, highest: number): Promise<void>;
  marks(channel: string): Promise<ReadonlyMap<string, number>>;
  /** Forgets the keys of answers settled before this time. */
  forgetSettled(before: number): Promise<void>;
}
