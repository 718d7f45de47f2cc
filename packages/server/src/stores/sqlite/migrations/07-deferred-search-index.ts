export const deferredSearchIndex = {
  version: 7,
  name: 'a full-text index that may be behind',
  sql: `
    DROP TRIGGER passages_indexed;
    DROP TRIGGER passages_removed;
    CREATE TRIGGER passages_removed AFTER DELETE ON passages
    WHEN EXISTS (SELECT 1 FROM passage_index_docsize WHERE id = old.id) BEGIN
      INSERT INTO passage_index (passage_index, rowid, text) VALUES ('delete', old.id, old.text);
    END;
  `,
};
