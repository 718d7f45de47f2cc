// Which chat is in which session. A single server has this in `sessions.json`.
import type { ChatStore } from '../../domain/chat-store.ts';
import { type Database, first, run } from '../sql/work.ts';

const put = `
  INSERT INTO chats (chat, session_id, updated_at) VALUES (?, ?, ?)
  ON CONFLICT (chat) DO UPDATE SET session_id = excluded.session_id, updated_at = excluded.updated_at`;

export function createChatStore(database: Database): ChatStore {
  return {
    async find(chat) {
      const found = first<{ session_id: string }>('SELECT session_id FROM chats WHERE chat = ?', [chat]);
      return (await database.read(found))?.session_id;
    },
    async put(chat, session, at) {
      await database.durable(() => run(put, [chat, session, at]));
    },
    async remove(chat) {
      await database.durable(() => run('DELETE FROM chats WHERE chat = ?', [chat]));
    },
    move: (from, to) =>
      database.durable(function* () {
        yield* run('DELETE FROM chats WHERE chat = ? AND EXISTS (SELECT 1 FROM chats WHERE chat = ?)', [
          to,
          from,
        ]);
        yield* run('UPDATE chats SET chat = ? WHERE chat = ?', [to, from]);
      }),
  };
}
