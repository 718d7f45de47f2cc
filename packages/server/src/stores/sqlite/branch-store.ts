// Branches: sessions that begin like another one. A row says from where on they differ.
import type { BranchStore } from '../../domain/branch-store.ts';
import type { Connection, Writes } from './connection.ts';
import { copyTurns, turnsBefore } from './copy-turns.ts';
import { familyOf } from './families.ts';
import { query } from './schema.ts';
import { insertSession } from './sessions.ts';

export function createBranchStore(connection: Connection, writes: Writes): BranchStore {
  return {
    async list(id) {
      const branches = query
        .selectFrom('branches')
        .selectAll()
        .where('family', '=', familyOf(connection, id))
        .orderBy('id');
      return connection
        .rows(branches)
        .map((row) => ({ sessionId: row.session_id, parentId: row.parent_id, after: row.after_turn }));
    },

    turnsBefore: async (id, turn) => turnsBefore(connection, id, turn),

    async create(session, { parentId, after }, copied) {
      await writes.durable(() => {
        insertSession(connection, session);
        const hide = query.updateTable('sessions').set({ is_hidden: 1 });
        connection.change(hide.where('id', '=', session.id));
      });
      if (copied) await copyTurns(connection, writes, { ...copied, to: session.id });
      // Last, because a crash before it leaves nothing that anybody finds.
      const family = familyOf(connection, parentId);
      const row = { session_id: session.id, family, parent_id: parentId, after_turn: after };
      await writes.durable(() => connection.change(query.insertInto('branches').values(row)));
    },
  };
}
