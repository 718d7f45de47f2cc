// The outbox: answers that chats have not received yet. Keys of settled answers stay for a while, because a service may
// deliver a message again after a crash.
import { sql } from 'kysely';
import type { NewAnswer, Outbox, OwedAnswer, OwedTurn } from '../../domain/outbox.ts';
import { decode, encode } from './json-column.ts';
import { type OwedAnswerRow, query } from './schema.ts';
import { all, type Database, first, run, type Work } from './work.ts';

export function createOutbox(database: Database): Outbox {
  return {
    owe: (answer) => database.durable(() => insertOwed(answer)),

    async knows(key) {
      const known = query.selectFrom('owed_answers').select('key').where('key', '=', key);
      return (await database.read(first(known))) !== undefined;
    },

    async owed(channel) {
      const open = query
        .selectFrom('owed_answers')
        .selectAll()
        .where('channel', '=', channel)
        .where('settled_at', 'is', null)
        .orderBy('id');
      return (await database.read(all(open))).map(toOwed);
    },

    async advance(key, progress) {
      const row: Partial<Omit<OwedAnswerRow, 'id'>> = {};
      if (progress.text !== undefined) row.text = encode(progress.text);
      if (progress.sentParts !== undefined) row.sent_parts = progress.sentParts;
      if ('attempt' in progress) row.attempt = encodeOptional(progress.attempt);
      if ('status' in progress) row.status = encodeOptional(progress.status);
      if (Object.keys(row).length === 0) return;
      await database.durable(() => run(query.updateTable('owed_answers').set(row).where('key', '=', key)));
    },

    async settle(key, at) {
      const settled = query
        .updateTable('owed_answers')
        .set({ settled_at: at, text: null, turn: null, attempt: null, status: null, address: 'null' })
        .where('key', '=', key)
        .where('settled_at', 'is', null);
      await database.durable(() => run(settled));
    },

    async mark(channel, counter, highest) {
      const raised = query
        .insertInto('channel_marks')
        .values({ channel, counter, highest })
        .onConflict((conflict) =>
          conflict.columns(['channel', 'counter']).doUpdateSet({
            highest: sql<number>`CASE WHEN channel_marks.highest > excluded.highest
              THEN channel_marks.highest ELSE excluded.highest END`,
          }),
        );
      await database.relaxed(() => run(raised));
    },

    async marks(channel) {
      const marks = query
        .selectFrom('channel_marks')
        .select(['counter', 'highest'])
        .where('channel', '=', channel);
      const found = await database.read(all(marks));
      return new Map(found.map(({ counter, highest }) => [counter, highest]));
    },

    async forgetSettled(before) {
      await database.relaxed(() => run(query.deleteFrom('owed_answers').where('settled_at', '<', before)));
    },
  };
}

function* insertOwed({ also = [], ...answer }: NewAnswer): Work<boolean> {
  const isNew = yield* insertAnswer({
    ...bare(answer),
    address: encode(answer.address),
    turn: answer.turn ? encode(answer.turn) : null,
    text: answer.text === undefined ? null : encode(answer.text),
  });
  if (!isNew) return false;
  for (const key of also) yield* insertAnswer({ ...bare({ ...answer, key }), settled_at: answer.owedAt });
  return true;
}

/** False when the key is known. */
function* insertAnswer(row: Omit<OwedAnswerRow, 'id'>): Work<boolean> {
  const insertion = query.insertInto('owed_answers').values(row);
  return (yield* run(insertion.onConflict((conflict) => conflict.column('key').doNothing()))) > 0;
}

function bare({ key, channel, owedAt }: Pick<NewAnswer, 'key' | 'channel' | 'owedAt'>) {
  return {
    key,
    channel,
    address: 'null',
    turn: null,
    text: null,
    sent_parts: 0,
    attempt: null,
    status: null,
    owed_at: owedAt,
    settled_at: null,
  };
}

function encodeOptional(value: unknown): string | null {
  return value === undefined ? null : encode(value);
}

function toOwed(row: Omit<OwedAnswerRow, 'id'>): OwedAnswer {
  const read = (json: string, column: string) => decode(json, { table: 'owed_answer', id: row.key, column });
  return {
    key: row.key,
    channel: row.channel,
    address: read(row.address, 'address'),
    ...(row.turn !== null && { turn: read(row.turn, 'turn') as OwedTurn }),
    ...(row.text !== null && { text: read(row.text, 'text') as string }),
    sentParts: row.sent_parts,
    ...(row.attempt !== null && { attempt: read(row.attempt, 'attempt') }),
    ...(row.status !== null && { status: read(row.status, 'status') }),
    owedAt: row.owed_at,
  };
}
