export const canAsk = {
  version: 8,
  name: 'whether a turn can ask',
  sql: `
    ALTER TABLE turns ADD COLUMN can_ask INTEGER NOT NULL DEFAULT 1;
    UPDATE turns SET can_ask = 0 WHERE door = 'http';
  `,
};
