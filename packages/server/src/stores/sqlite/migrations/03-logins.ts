export const logins = {
  version: 3,
  name: 'logins',
  sql: `
    CREATE TABLE logins (
      id TEXT NOT NULL PRIMARY KEY,
      password_hash TEXT NOT NULL,
      person TEXT,
      created_at REAL NOT NULL,
      expires_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
