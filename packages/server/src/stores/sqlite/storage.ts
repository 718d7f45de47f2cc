// How much is stored for each person. Triggers keep the sums, so every way to write and delete counts, and the cost of
// asking doesn't depend on how much there is.
import type { PersonName, SessionId } from '@parley/protocol';
import type { Connection } from './connection.ts';

export function storedBytes(connection: Connection, person: PersonName): number {
  const [row] = connection.prepare('SELECT bytes FROM stored_people WHERE person = ?').all([person]);
  return (row as { bytes: number } | undefined)?.bytes ?? 0;
}

/** Call it before the session is deleted: its rows then need not be subtracted one by one. */
export function forgetStored(connection: Connection, session: SessionId): void {
  connection.prepare('DELETE FROM stored_sessions WHERE session_id = ?').run([session]);
}
