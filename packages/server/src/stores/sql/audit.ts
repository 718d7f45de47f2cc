// Stores the audit log and searches it.
import type { AuditEntry } from '@parley/protocol';
import { sql } from 'kysely';
import type { AuditQuery, AuditStore } from '../../domain/audit-log.ts';
import { decodeText, encode } from './json-column.ts';
import { query } from './schema.ts';
import { all, type Database, run } from './work.ts';

export function createAuditStore(database: Database): AuditStore {
  return {
    add: (at, { action, person, subject, detail, address }, most) =>
      database.relaxed(function* () {
        const entry = {
          at,
          action,
          person: person ?? null,
          subject: subject === undefined ? null : encode(subject),
          detail: detail === undefined ? null : encode(detail),
          address: address ?? null,
        };
        yield* run(query.insertInto('audit').values(entry));
        const newest = query.selectFrom('audit').select(({ fn }) => fn.max('id').as('id'));
        yield* run(query.deleteFrom('audit').where('id', '<=', sql<number>`(${newest}) - ${most}`));
      }),

    search: async (wanted) => (await database.read(all(matching(wanted)))).map(toEntry),
  };
}

function matching({ text, person, action, from, until, before, limit }: AuditQuery) {
  let found = query.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit);
  if (person !== undefined) found = found.where('person', '=', person);
  if (action !== undefined) found = found.where('action', '=', action);
  if (from !== undefined) found = found.where('at', '>=', from);
  if (until !== undefined) found = found.where('at', '<', until);
  if (before !== undefined) found = found.where('id', '<', before);
  if (text !== undefined && text !== '') {
    // As it is written in a JSON column, without the quotes.
    const written = encode(text).slice(1, -1).replaceAll(/[%_!]/g, '!$&');
    const whole = sql<string>`lower(concat_ws(' ', person, subject, detail, address))`;
    found = found.where(sql<boolean>`${whole} LIKE lower(${`%${written}%`}) ESCAPE '!'`);
  }
  return found;
}

function toEntry(row: AuditEntry): AuditEntry {
  const at = (column: string) => ({ table: 'audit', id: row.id, column });
  return {
    ...row,
    subject: row.subject === null ? null : decodeText(row.subject, at('subject')),
    detail: row.detail === null ? null : decodeText(row.detail, at('detail')),
  };
}
