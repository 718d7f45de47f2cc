// Which sessions are shared with whom. Shares of deleted sessions are not listed, and the next write removes them.
import { sql } from 'kysely';
import type { ShareStore } from '../../domain/shares.ts';
import { query } from './schema.ts';
import { all, type Database, run } from './work.ts';

/** What belongs to a session that was deleted. */
export const ofNoSession = sql<boolean>`session_id NOT IN (SELECT id FROM sessions)`;

export function createShareStore(database: Database): ShareStore {
  return {
    async list() {
      const shares = query
        .selectFrom('shares')
        .innerJoin('sessions', 'sessions.id', 'shares.session_id')
        .select(['shares.session_id', 'shares.person', 'shares.level', 'shares.created_at'])
        .orderBy('shares.created_at');
      const found = await database.read(all(shares));
      return found.map(({ session_id: session, person, level, created_at: createdAt }) => ({
        session,
        person,
        level: level === 'participate' ? 'participate' : 'read',
        createdAt,
      }));
    },

    put: ({ session, person, level, createdAt }) =>
      database.durable(function* () {
        yield* run(query.deleteFrom('shares').where(ofNoSession));
        const row = { session_id: session, person, level, created_at: createdAt };
        yield* run(
          query
            .insertInto('shares')
            .values(row)
            .onConflict((conflict) => conflict.columns(['session_id', 'person']).doUpdateSet({ level })),
        );
      }),

    remove: (session, person) =>
      database.durable(function* () {
        const share = query.deleteFrom('shares').where('session_id', '=', session);
        return (yield* run(share.where('person', '=', person))) > 0;
      }),
  };
}
