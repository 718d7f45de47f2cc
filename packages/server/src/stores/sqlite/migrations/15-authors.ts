export const authors = {
  version: 15,
  name: 'who wrote a prompt in a session of somebody else',
  sql: 'ALTER TABLE turns ADD COLUMN author TEXT;',
};
