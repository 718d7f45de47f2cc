export const chats = {
  version: 3,
  name: 'which chat is in which session',
  sql: `
    CREATE TABLE chats (
      chat TEXT COLLATE "C" PRIMARY KEY,
      session_id TEXT COLLATE "C" NOT NULL,
      updated_at TEXT COLLATE "C" NOT NULL
    );
  `,
};
