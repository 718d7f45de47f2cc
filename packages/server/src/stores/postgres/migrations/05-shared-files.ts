// What a single server has in files and in memory, and how far a home has moved here from SQLite.
const text = 'TEXT COLLATE "C"';

export const sharedFiles = {
  version: 5,
  name: 'recipes, settings, sealed logins, allowances, tries, reservations, and homes that move here',
  sql: `
    CREATE TABLE recipes (
      id ${text} PRIMARY KEY,
      title ${text} NOT NULL,
      title_key ${text} NOT NULL UNIQUE,
      description ${text} NOT NULL,
      prep_time_minutes INTEGER,
      cook_time_minutes INTEGER,
      servings INTEGER,
      difficulty ${text},
      created_at ${text} NOT NULL,
      updated_at ${text} NOT NULL,
      ingredients ${text} NOT NULL,
      steps ${text} NOT NULL
    );

    CREATE TABLE app_settings (
      is_only BOOLEAN PRIMARY KEY DEFAULT true CHECK (is_only),
      revision BIGINT NOT NULL,
      settings TEXT NOT NULL
    );
    CREATE TRIGGER app_settings_watched AFTER INSERT OR UPDATE ON app_settings
      FOR EACH STATEMENT EXECUTE FUNCTION access_changed();

    CREATE TABLE sealed (name ${text} PRIMARY KEY, content TEXT NOT NULL);

    CREATE FUNCTION logins_ended() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF EXISTS (SELECT FROM ended) THEN UPDATE access_changes SET version = version + 1; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER logins_watched AFTER DELETE ON logins REFERENCING OLD TABLE AS ended
      FOR EACH STATEMENT EXECUTE FUNCTION logins_ended();

    CREATE TABLE allowances (
      session_id ${text} NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      tool ${text} NOT NULL,
      PRIMARY KEY (session_id, tool)
    );

    CREATE TABLE tries (
      name ${text} PRIMARY KEY,
      count INTEGER NOT NULL,
      last_at DOUBLE PRECISION NOT NULL
    );
    CREATE INDEX tries_by_time ON tries (last_at);

    CREATE TABLE reservations (
      id ${text} NOT NULL,
      server_id ${text} NOT NULL,
      scope ${text} NOT NULL,
      subject ${text} NOT NULL,
      usd DOUBLE PRECISION NOT NULL,
      tokens DOUBLE PRECISION NOT NULL,
      PRIMARY KEY (id, scope)
    );
    CREATE INDEX reservations_by_subject ON reservations (scope, subject);

    CREATE TABLE moved_home (
      is_only BOOLEAN PRIMARY KEY DEFAULT true CHECK (is_only),
      source TEXT NOT NULL,
      progress TEXT,
      moved_at TIMESTAMPTZ
    );
  `,
};
