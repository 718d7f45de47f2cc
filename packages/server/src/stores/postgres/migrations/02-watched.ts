// Triggers record how much is stored for each person, and whether somebody has changed who may do what. Each size is a
// new row, because writes to one common row would wait for each other. The store adds them up from time to time.
const sizes = {
  turns: 'octet_length(changed.prompt) + octet_length(changed.text)',
  messages: 'octet_length(changed.content)',
  event_batches: 'octet_length(changed.events)',
};

const counted = Object.entries(sizes).map(
  ([table, bytes]) => `
    CREATE FUNCTION ${table}_added() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE changed ${table} := NEW; BEGIN
      INSERT INTO stored_bytes SELECT person, ${bytes} FROM sessions WHERE id = changed.session_id;
      RETURN NULL;
    END $$;
    CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_added();
    CREATE FUNCTION ${table}_removed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO stored_bytes
        SELECT sessions.person, -sum(${bytes}) FROM changed JOIN sessions ON sessions.id = changed.session_id
        GROUP BY sessions.person;
      RETURN NULL;
    END $$;
    CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION ${table}_removed();`,
);

const watched = {
  accounts: 'INSERT OR UPDATE OR DELETE',
  api_keys: 'INSERT OR DELETE',
  invitations: 'INSERT OR DELETE',
  shares: 'INSERT OR UPDATE OR DELETE',
  budget_rules: 'INSERT OR UPDATE OR DELETE',
};

const noticed = Object.entries(watched).map(
  ([table, events]) => `
    CREATE TRIGGER ${table}_watched AFTER ${events} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION access_changed();`,
);

export const watchedChanges = {
  version: 2,
  name: 'stored bytes, and changes that other servers notice',
  sql: `
    CREATE TABLE stored_bytes (person TEXT COLLATE "C" NOT NULL, bytes BIGINT NOT NULL);
    CREATE INDEX stored_bytes_by_person ON stored_bytes (person);
    ${counted.join('')}
    CREATE FUNCTION turn_text_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO stored_bytes VALUES (NEW.person, octet_length(NEW.text) - octet_length(OLD.text));
      RETURN NULL;
    END $$;
    CREATE TRIGGER turn_text_changed AFTER UPDATE OF text ON turns FOR EACH ROW
      WHEN (octet_length(NEW.text) <> octet_length(OLD.text)) EXECUTE FUNCTION turn_text_changed();
    CREATE FUNCTION forget_stored_bytes(session TEXT) RETURNS void LANGUAGE sql AS $$
      INSERT INTO stored_bytes
        SELECT person, -(
          (SELECT coalesce(sum(octet_length(prompt) + octet_length(text)), 0) FROM turns WHERE session_id = session)
          + (SELECT coalesce(sum(octet_length(content)), 0) FROM messages WHERE session_id = session)
          + (SELECT coalesce(sum(octet_length(events)), 0) FROM event_batches WHERE session_id = session)
        ) FROM sessions WHERE id = session
    $$;

    CREATE TABLE access_changes (version BIGINT NOT NULL);
    INSERT INTO access_changes VALUES (1);
    CREATE FUNCTION access_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE access_changes SET version = version + 1;
      RETURN NULL;
    END $$;
    ${noticed.join('')}
  `,
};
