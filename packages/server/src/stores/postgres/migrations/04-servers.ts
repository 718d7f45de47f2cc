// Which servers run, and who owns which session. A row of `session_owners` exists while a session is owned, and for sessions
// that are bound to a machine. It isn't part of `sessions`, so that checking it doesn't wait for changes of the session.
const text = 'TEXT COLLATE "C"';

export const servers = {
  version: 4,
  name: 'servers',
  sql: `
    CREATE TABLE servers (
      id ${text} PRIMARY KEY,
      machine ${text} NOT NULL,
      url ${text} NOT NULL,
      lease_until TIMESTAMPTZ NOT NULL
    );
    CREATE SEQUENCE epochs;
    CREATE TABLE session_owners (
      session_id ${text} PRIMARY KEY,
      server_id ${text},
      epoch BIGINT NOT NULL,
      machine ${text},
      was_owned BOOLEAN NOT NULL
    );
    CREATE INDEX session_owners_by_server ON session_owners (server_id);`,
};
