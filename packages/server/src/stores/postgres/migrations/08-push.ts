const text = 'TEXT COLLATE "C"';

export const push = {
  version: 8,
  name: 'devices that get notifications',
  sql: `
    CREATE TABLE push_keys (id INTEGER PRIMARY KEY CHECK (id = 1), private_key ${text} NOT NULL);
    CREATE TABLE push_devices (
      id ${text} PRIMARY KEY,
      person ${text} NOT NULL,
      login_id ${text} NOT NULL,
      endpoint ${text} NOT NULL,
      p256dh ${text} NOT NULL,
      auth ${text} NOT NULL,
      language ${text} NOT NULL,
      created_at DOUBLE PRECISION NOT NULL
    );
    CREATE INDEX push_devices_by_person ON push_devices (person);
    CREATE TABLE push_settings (person ${text} PRIMARY KEY, settings ${text} NOT NULL);
  `,
};
