export const storedBytes = {
  version: 14,
  name: 'how much is stored for each person',
  sql: `
    CREATE TABLE stored_people (person TEXT NOT NULL PRIMARY KEY, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE stored_sessions (
      session_id TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
      person TEXT NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO stored_sessions
      SELECT id, person,
        (SELECT coalesce(sum(octet_length(prompt) + octet_length(text)), 0) FROM turns WHERE session_id = sessions.id)
        + (SELECT coalesce(sum(octet_length(content)), 0) FROM messages WHERE session_id = sessions.id)
        + (SELECT coalesce(sum(octet_length(events)), 0) FROM event_batches WHERE session_id = sessions.id)
      FROM sessions;
    INSERT INTO stored_people SELECT person, sum(bytes) FROM stored_sessions GROUP BY person;

    CREATE TRIGGER stored_session_added AFTER INSERT ON sessions BEGIN
      INSERT OR IGNORE INTO stored_people VALUES (new.person, 0);
      INSERT INTO stored_sessions VALUES (new.id, new.person, 0);
    END;
    CREATE TRIGGER stored_session_changed AFTER UPDATE ON stored_sessions BEGIN
      UPDATE stored_people SET bytes = bytes + new.bytes - old.bytes WHERE person = new.person;
    END;
    CREATE TRIGGER stored_session_removed AFTER DELETE ON stored_sessions BEGIN
      UPDATE stored_people SET bytes = bytes - old.bytes WHERE person = old.person;
    END;

    CREATE TRIGGER stored_turns_added AFTER INSERT ON turns BEGIN
      UPDATE stored_sessions SET bytes = bytes + octet_length(new.prompt) + octet_length(new.text) WHERE session_id = new.session_id;
    END;
    CREATE TRIGGER stored_turns_removed AFTER DELETE ON turns BEGIN
      UPDATE stored_sessions SET bytes = bytes - (octet_length(old.prompt) + octet_length(old.text)) WHERE session_id = old.session_id;
    END;
    CREATE TRIGGER stored_messages_added AFTER INSERT ON messages BEGIN
      UPDATE stored_sessions SET bytes = bytes + octet_length(new.content) WHERE session_id = new.session_id;
    END;
    CREATE TRIGGER stored_messages_removed AFTER DELETE ON messages BEGIN
      UPDATE stored_sessions SET bytes = bytes - (octet_length(old.content)) WHERE session_id = old.session_id;
    END;
    CREATE TRIGGER stored_event_batches_added AFTER INSERT ON event_batches BEGIN
      UPDATE stored_sessions SET bytes = bytes + octet_length(new.events) WHERE session_id = new.session_id;
    END;
    CREATE TRIGGER stored_event_batches_removed AFTER DELETE ON event_batches BEGIN
      UPDATE stored_sessions SET bytes = bytes - (octet_length(old.events)) WHERE session_id = old.session_id;
    END;
    CREATE TRIGGER stored_turns_changed AFTER UPDATE OF text ON turns BEGIN
      UPDATE stored_sessions SET bytes = bytes + octet_length(new.text) - octet_length(old.text)
        WHERE session_id = new.session_id;
    END;
  `,
};
