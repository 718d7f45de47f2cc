// A session and its branches are a family. Lists show only the member that was used last; the others are hidden.
import type { SessionId } from '@parley/protocol';
import { query } from './schema.ts';
import { first, run, type Work } from './work.ts';

/** A family has the id of its first session. */
export function* familyOf(id: SessionId): Work<SessionId> {
  const branch = yield* first(query.selectFrom('branches').select('family').where('session_id', '=', id));
  return branch?.family ?? id;
}

/** Call it in a transaction, when a hidden session is used. */
export function* showInFamily(id: SessionId): Work<void> {
  const family = yield* familyOf(id);
  const branches = query.selectFrom('branches').select('session_id').where('family', '=', family);
  const hide = query.updateTable('sessions').set({ is_hidden: 1 });
  yield* run(hide.where('id', '=', family));
  yield* run(hide.where('id', 'in', branches));
  yield* run(query.updateTable('sessions').set({ is_hidden: 0 }).where('id', '=', id));
}
