// The port that records which session each chat of a bot is in, for servers that share a database.
import type { SessionId } from '@parley/protocol';

export interface ChatStore {
  /** A chat is `channel:chatId`. */
  find(chat: string): Promise<SessionId | undefined>;
  put(chat: string, session: SessionId, at: string): Promise<void>;
  remove(chat: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
}
