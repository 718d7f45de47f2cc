export const owedAnswers = {
  version: 4,
  name: 'answers owed to chat services',
  sql: `
    CREATE TABLE owed_answers (
      id INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      channel TEXT NOT NULL,
      address TEXT NOT NULL,
      turn TEXT,
      text TEXT,
      sent_parts INTEGER NOT NULL,
      attempt TEXT,
      status TEXT,
      owed_at REAL NOT NULL,
      settled_at REAL
    ) STRICT;
    CREATE INDEX owed_answers_open ON owed_answers (channel, id) WHERE settled_at IS NULL;
    CREATE INDEX owed_answers_settled ON owed_answers (settled_at) WHERE settled_at IS NOT NULL;
  `,
};
