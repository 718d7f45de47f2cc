const text = 'TEXT COLLATE "C"';

export const shareLinks = {
  version: 9,
  name: 'links that show a session without a login',
  sql: `
    CREATE TABLE share_links (
      id ${text} PRIMARY KEY,
      sha256 ${text} NOT NULL UNIQUE,
      session_id ${text} NOT NULL,
      person ${text} NOT NULL,
      turns ${text} NOT NULL,
      is_whole INTEGER NOT NULL,
      language ${text} NOT NULL,
      created_at DOUBLE PRECISION NOT NULL,
      expires_at DOUBLE PRECISION NOT NULL
    );
    CREATE INDEX share_links_by_session ON share_links (session_id);
  `,
};
