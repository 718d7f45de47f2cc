export const channelMarks = {
  version: 5,
  name: 'the highest message numbers of chat services',
  sql: `
    CREATE TABLE channel_marks (
      channel TEXT NOT NULL,
      counter TEXT NOT NULL,
      highest INTEGER NOT NULL,
      PRIMARY KEY (channel, counter)
    ) STRICT, WITHOUT ROWID;
  `,
};
