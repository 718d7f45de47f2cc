export const shareLinks = {
  version: 18,
  name: 'links that show a session without a login',
  sql: `
    CREATE TABLE share_links (
      id TEXT NOT NULL PRIMARY KEY,
      sha256 TEXT NOT NULL UNIQUE,
      session_id TEXT NOT NULL,
      person TEXT NOT NULL,
      turns TEXT NOT NULL,
      is_whole INTEGER NOT NULL,
      language TEXT NOT NULL,
      created_at REAL NOT NULL,
      expires_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX share_links_by_session ON share_links (session_id);
  `,
};
