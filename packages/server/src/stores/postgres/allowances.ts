// Tools that a person allowed for the rest of a session, for the next owner of the session.
import type { AllowanceStore } from '../../domain/allowances.ts';
import { all, type Database, run } from '../sql/work.ts';

export function createAllowanceStore(database: Database): AllowanceStore {
  return {
    async of(session) {
      const rows = all<{ tool: string }>('SELECT tool FROM allowances WHERE session_id = ?', [session]);
      return (await database.read(rows)).map(({ tool }) => tool);
    },
    async add(session, tool) {
      const add =
        'INSERT INTO allowances SELECT id, CAST(? AS text) FROM sessions WHERE id = ? ON CONFLICT DO NOTHING';
      await database.durable(() => run(add, [tool, session]));
    },
  };
}
