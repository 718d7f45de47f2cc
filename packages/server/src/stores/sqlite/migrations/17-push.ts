export const push = {
  version: 17,
  name: 'devices that get notifications',
  sql: `
    CREATE TABLE push_keys (id INTEGER PRIMARY KEY CHECK (id = 1), private_key TEXT NOT NULL) STRICT;

    CREATE TABLE push_devices (
      id TEXT NOT NULL PRIMARY KEY,
      person TEXT NOT NULL,
      login_id TEXT NOT NULL,
      endpoint TEXT NOT NULL,
      p256dh TEXT NOT NULL,
      auth TEXT NOT NULL,
      language TEXT NOT NULL,
      created_at REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX push_devices_by_person ON push_devices (person);

    CREATE TABLE push_settings (person TEXT NOT NULL PRIMARY KEY, settings TEXT NOT NULL) STRICT;
  `,
};
