// Which machine has which Claude Code session. The first claim of a session records its machine.
import type { SessionId } from '@parley/protocol';
import type { MachineRecords } from '../../domain/machines.ts';
import type { SessionRow } from '../sql/schema.ts';
import { toSession } from '../sql/sessions.ts';
import { all, first } from '../sql/work.ts';
import type { PostgresStore } from './store.ts';

const listed = 'SELECT jsonb_array_elements_text(?::jsonb)';

const onOthers = `
  SELECT sessions.*, session_owners.machine
  FROM sessions JOIN session_owners ON session_owners.session_id = sessions.id
  WHERE engine = 'claude-code' AND removed_until IS NULL AND machine NOT IN (${listed})
    AND ((person = ? AND is_hidden = 0) OR sessions.id IN (${listed}))
  ORDER BY updated_at DESC LIMIT ?`;

export function createMachineRecords({ database }: Pick<PostgresStore, 'database'>): MachineRecords {
  return {
    async machineOf(id) {
      const owned = 'SELECT machine FROM session_owners WHERE session_id = ?';
      return (await database.read(first<{ machine: string | null }>(owned, [id])))?.machine ?? undefined;
    },

    async elsewhere(machine, ids) {
      const others = `SELECT session_id FROM session_owners WHERE machine <> ? AND session_id IN (${listed})`;
      const rows = await database.read(
        all<{ session_id: SessionId }>(others, [machine, JSON.stringify(ids)]),
      );
      return new Set(rows.map((row) => row.session_id));
    },

    async onOtherMachines({ person, also, machines, limit }) {
      const values = [JSON.stringify(machines), person, JSON.stringify(also), limit];
      const rows = await database.read(all<SessionRow & { machine: string }>(onOthers, values));
      return rows.flatMap((row) => {
        const session = toSession(row);
        return session.engine === 'claude-code' ? [{ session, machine: row.machine }] : [];
      });
    },
  };
}
