export const accounts = {
  version: 11,
  name: 'accounts, passkeys, invitations, API keys, shares and the audit log',
  sql: `
    CREATE TABLE accounts (
      person TEXT NOT NULL PRIMARY KEY,
      role TEXT NOT NULL,
      display_name TEXT,
      password_hash TEXT,
      openid_issuer TEXT,
      openid_subject TEXT,
      assistants TEXT NOT NULL,
      created_at REAL NOT NULL,
      disabled_at REAL
    ) STRICT;
    CREATE UNIQUE INDEX accounts_by_openid ON accounts (openid_issuer, openid_subject);

    CREATE TABLE passkeys (
      id TEXT NOT NULL PRIMARY KEY,
      person TEXT NOT NULL REFERENCES accounts (person) ON DELETE CASCADE,
      name TEXT NOT NULL,
      public_key TEXT NOT NULL,
      counter INTEGER NOT NULL,
      transports TEXT NOT NULL,
      host TEXT NOT NULL,
      created_at REAL NOT NULL,
      last_used_at REAL
    ) STRICT;
    CREATE INDEX passkeys_by_person ON passkeys (person);

    CREATE TABLE invitations (
      id TEXT NOT NULL PRIMARY KEY,
      sha256 TEXT NOT NULL UNIQUE,
      person TEXT NOT NULL UNIQUE,
      role TEXT NOT NULL,
      assistants TEXT NOT NULL,
      created_by TEXT,
      created_at REAL NOT NULL,
      expires_at REAL NOT NULL
    ) STRICT;

    CREATE TABLE api_keys (
      id TEXT NOT NULL PRIMARY KEY,
      label TEXT NOT NULL,
      sha256 TEXT NOT NULL UNIQUE,
      person TEXT NOT NULL,
      assistants TEXT,
      read_only INTEGER NOT NULL,
      created_by TEXT,
      created_at REAL NOT NULL,
      expires_at REAL,
      last_used_at REAL
    ) STRICT;
    CREATE INDEX api_keys_by_person ON api_keys (person);

    CREATE TABLE shares (
      session_id TEXT NOT NULL,
      person TEXT NOT NULL,
      level TEXT NOT NULL,
      created_at REAL NOT NULL,
      PRIMARY KEY (session_id, person)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX shares_by_person ON shares (person, session_id);

    CREATE TABLE audit (
      id INTEGER PRIMARY KEY,
      at REAL NOT NULL,
      action TEXT NOT NULL,
      person TEXT,
      subject TEXT,
      detail TEXT,
      address TEXT
    ) STRICT;

    ALTER TABLE logins ADD COLUMN kind TEXT NOT NULL DEFAULT 'family';
    ALTER TABLE logins ADD COLUMN device TEXT;
    ALTER TABLE logins ADD COLUMN seen_at REAL NOT NULL DEFAULT 0;
    UPDATE logins SET seen_at = created_at;
  `,
};
