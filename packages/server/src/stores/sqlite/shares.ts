// Which sessions are shared with whom. Shares of deleted sessions are not listed, and the next write removes them.
import { sql } from 'kysely';
import type { ShareStore } from '../../domain/shares.ts';
import type { Connection, Writes } from './connection.ts';
import { query } from './schema.ts';

const ofNoSession = sql<boolean>`session_id NOT IN (SELECT id FROM sessions)`;

export function createShareStore(connection: Connection, { durable }: Writes): ShareStore {
  return {
    async list() {
      const all = query
        .selectFrom('shares')
        .innerJoin('sessions', 'sessions.id', 'shares.session_id')
        .select(['shares.session_id', 'shares.person', 'shares.level', 'shares.created_at'])
        .orderBy('shares.created_at');
      return connection.rows(all).map(({ session_id: session, person, level, created_at: createdAt }) => ({
        session,
        person,
        level: level === 'participate' ? 'participate' : 'read',
        createdAt,
      }));
    },

    put: ({ session, person, level, createdAt }) =>
      durable(() => {
        connection.change(query.deleteFrom('shares').where(ofNoSession));
        const row = { session_id: session, person, level, created_at: createdAt };
        connection.change(
          query
            .insertInto('shares')
            .values(row)
            .onConflict((conflict) => conflict.columns(['session_id', 'person']).doUpdateSet({ level })),
        );
      }),

    remove: (session, person) =>
      durable(() => {
        const share = query.deleteFrom('shares').where('session_id', '=', session);
        return connection.change(share.where('person', '=', person)) > 0;
      }),
  };
}
