export const knownBrowsers = {
  version: 9,
  name: 'the origin of a login, and browsers that have logged in before',
  sql: `
    ALTER TABLE logins ADD COLUMN origin TEXT;
    CREATE TABLE known_browsers (
      id TEXT NOT NULL PRIMARY KEY,
      seen_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
