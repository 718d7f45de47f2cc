export const budgets = {
  version: 13,
  name: 'budgets, and what counts for them this month',
  sql: `
    ALTER TABLE usage_entries ADD COLUMN turns INTEGER NOT NULL DEFAULT 1;
    CREATE TABLE budget_rules (
      id TEXT NOT NULL PRIMARY KEY,
      scope TEXT NOT NULL,
      subject TEXT,
      period TEXT NOT NULL,
      unit TEXT NOT NULL,
      "limit" REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE budget_warnings (key TEXT NOT NULL PRIMARY KEY, day TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE spending (
      day TEXT NOT NULL,
      scope TEXT NOT NULL,
      subject TEXT NOT NULL,
      usd REAL NOT NULL,
      tokens INTEGER NOT NULL,
      PRIMARY KEY (day, scope, subject)
    ) STRICT, WITHOUT ROWID;
    CREATE TEMP TABLE paid AS
      SELECT date(at / 1000, 'unixepoch') AS day, usage_entries.person AS person, session_id AS session,
        sessions.assistant AS assistant, json_extract(sessions.settings, '$.chat') AS chat, cost_usd AS usd,
        input_tokens + output_tokens + cache_read_tokens + cache_write_tokens AS tokens
      FROM usage_entries LEFT JOIN sessions ON sessions.id = session_id
      WHERE at >= unixepoch('now', 'start of month') * 1000;
    INSERT INTO spending SELECT day, 'everybody', '', sum(usd), sum(tokens) FROM paid GROUP BY day;
    INSERT INTO spending SELECT day, 'person', person, sum(usd), sum(tokens) FROM paid GROUP BY day, person;
    INSERT INTO spending SELECT day, 'session', session, sum(usd), sum(tokens) FROM paid GROUP BY day, session;
    INSERT INTO spending SELECT day, 'assistant', assistant, sum(usd), sum(tokens) FROM paid
      WHERE assistant IS NOT NULL GROUP BY day, assistant;
    INSERT INTO spending SELECT day, 'chat', chat, sum(usd), sum(tokens) FROM paid
      WHERE chat IS NOT NULL GROUP BY day, chat;
    DROP TABLE paid;
  `,
};
