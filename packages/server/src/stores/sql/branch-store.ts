// Branches: sessions that begin like another one. A row says where they start to differ.
import type { Session, SessionId } from '@parley/protocol';
import type { BranchStore } from '../../domain/branch-store.ts';
import type { Branch } from '../../domain/branches.ts';
import { copyTurns, turnsBefore } from './copy-turns.ts';
import type { Dialect } from './dialect.ts';
import { familyOf } from './families.ts';
import { query } from './schema.ts';
import { insertSession, removeSession, toSession } from './sessions.ts';
import { all, type Database, first, run, type Work } from './work.ts';

export function createBranchStore(database: Database, dialect: Dialect): BranchStore {
  return {
    list: (id) => database.read(branchesOf(id)),

    turnsBefore: (id, turn) => database.read(turnsBefore(id, turn)),

    findFork: (id) => database.read(completeFork(id)),

    async create(session, branch, copied) {
      await database.durable(function* () {
        if (!(yield* completeFork(session.id))) yield* removeSession(dialect, session.id);
        yield* insertSession(session);
        yield* hide(session.id, 1);
      });
      if (copied) await copyTurns(database, dialect, { ...copied, to: session.id });
      // Last, so that a crash before this leaves nothing that anybody finds.
      await database.durable(function* () {
        if (!branch) return yield* hide(session.id, 0);
        const { parentId, after } = branch;
        const family = yield* familyOf(parentId);
        const row = { session_id: session.id, family, parent_id: parentId, after_turn: after };
        return yield* run(query.insertInto('branches').values(row));
      });
    },
  };
}

/** A hidden session is incomplete, unless a branch of it is listed in its place. */
function* completeFork(id: SessionId): Work<Session | undefined> {
  const found = yield* first(query.selectFrom('sessions').selectAll().where('id', '=', id));
  if (!found || (found.is_hidden === 1 && (yield* branchesOf(id)).length === 0)) return undefined;
  return toSession(found);
}

function* hide(id: SessionId, is_hidden: number): Work<unknown> {
  return yield* run(query.updateTable('sessions').set({ is_hidden }).where('id', '=', id));
}

function* branchesOf(id: SessionId): Work<readonly Branch[]> {
  const family = yield* familyOf(id);
  const branches = query.selectFrom('branches').selectAll().where('family', '=', family).orderBy('id');
  return (yield* all(branches)).map((row) => ({
    sessionId: row.session_id,
    parentId: row.parent_id,
    after: row.after_turn,
  }));
}
