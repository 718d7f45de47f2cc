// What servers tell each other about the activities of people.
const text = 'TEXT COLLATE "C"';

export const activities = {
  version: 6,
  name: 'activities',
  sql: `
    CREATE TABLE activities (
      position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      server_id ${text} NOT NULL,
      news TEXT NOT NULL,
      added_at TIMESTAMPTZ NOT NULL DEFAULT now()
    );`,
};
