// The database keeps how much is stored for each person as a list of changes, which is added up from time to time.
import { run, type Work } from '../sql/work.ts';

/** One row per person instead of one per write. */
export function* addUpStoredBytes(): Work<void> {
  yield* run(`
    WITH added AS (DELETE FROM stored_bytes RETURNING person, bytes)
    INSERT INTO stored_bytes SELECT person, sum(bytes) FROM added GROUP BY person`);
}
