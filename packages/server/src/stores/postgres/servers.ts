// The registry of servers in PostgreSQL: leases, owners and epochs, all by the clock of the database.
import type { SessionId } from '@parley/protocol';
import { movedAway, type Tenure } from '../../domain/ownership.ts';
import { type ClaimAnswer, leaseMs, type Server, type ServerRegistry } from '../../domain/server-registry.ts';
import { all, first, run, type Work } from '../sql/work.ts';
import type { PostgresStore } from './store.ts';

/** The owner may change between a look and the claim. */
const maxLooks = 5;

export function createServerRegistry(store: PostgresStore): ServerRegistry {
  const { database } = store;
  // Single statements, on connections that nothing else can hold up for long.
  const alone = database.read;

  return {
    async renew({ id, machine, url }) {
      await alone(run(renewal, [id, machine, url]));
    },

    async replace({ id, machine }) {
      await alone(run(forgetOthers, [machine, id]));
    },

    async leave({ id }) {
      await alone(run('DELETE FROM servers WHERE id = ?', [id]));
    },

    async clock() {
      const row = await alone(
        first<{ now: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now'),
      );
      return row?.now ?? 0;
    },

    list: () => alone(all<Server>(`SELECT id, machine, url FROM servers WHERE ${isRunning}`)),

    async claim(server, session, { pinned }): Promise<ClaimAnswer> {
      for (let look = 0; look < maxLooks; look += 1) {
        const other = await alone(elsewhere(server, session));
        if (other) return other;
        const mine = await alone(claimed(server, session, pinned));
        if (mine) return { epoch: mine.epoch, start: mine.was_owned ? 'abandoned' : 'free' };
      }
      throw movedAway();
    },

    async release(tenures) {
      const gone = JSON.stringify(tenures.map(({ session, epoch }) => ({ session, epoch })));
      await database.apart(function* () {
        yield* run(`DELETE FROM session_owners USING ${pairs} WHERE ${isOneOf} AND machine IS NULL`, [gone]);
        yield* run(`UPDATE session_owners SET server_id = NULL FROM ${pairs} WHERE ${isOneOf}`, [gone]);
      });
    },

    async revoke(session) {
      await alone(run('DELETE FROM session_owners WHERE session_id = ?', [session]));
    },

    under(tenures, onOver) {
      return store.fenced(() => fence(tenures, onOver));
    },

    async abandoned({ id, machine }, lost) {
      const rows = await alone(all<{ session_id: SessionId }>(unowned, [id, JSON.stringify(lost), machine]));
      return rows.map((row) => row.session_id);
    },
  };
}

const isRunning = 'lease_until > statement_timestamp()';
const lease = `statement_timestamp() + interval '${leaseMs} milliseconds'`;
const pairs = 'jsonb_to_recordset(?::jsonb) AS gone(session text, epoch bigint)';
const isOneOf = 'session_id = gone.session AND session_owners.epoch = gone.epoch';

const renewal = `
  INSERT INTO servers (id, machine, url, lease_until) VALUES (?, ?, ?, ${lease})
  ON CONFLICT (id) DO UPDATE SET url = excluded.url, lease_until = excluded.lease_until`;

/** Also removes servers that stopped long ago, on machines that nobody uses any more. */
const forgetOthers = `
  DELETE FROM servers
  WHERE (machine = ? AND id <> ?) OR lease_until < statement_timestamp() - interval '1 day'`;

/** A waiting claim would hold up the owner's own writes, so we look first. */
function* elsewhere({ id, machine }: Server, session: SessionId): Work<ClaimAnswer | undefined> {
  const row = yield* first<{ owner_id: string | null; owner_url: string | null; machine: string | null }>(
    `SELECT servers.id AS owner_id, servers.url AS owner_url, session_owners.machine
     FROM session_owners
     LEFT JOIN servers ON ${isRunning}
       AND (servers.id = session_owners.server_id
         OR (session_owners.machine IS NOT NULL AND servers.machine = session_owners.machine))
     WHERE session_id = ?
     ORDER BY servers.id = session_owners.server_id DESC NULLS LAST LIMIT 1`,
    [session],
  );
  if (!row) return undefined;
  if (row.owner_id !== null && row.owner_url !== null && row.owner_id !== id)
    return { owner: { id: row.owner_id, url: row.owner_url } };
  if (row.machine === null || row.machine === machine) return undefined;
  return { absentMachine: row.machine };
}

/** Undefined if somebody else was faster. */
function claimed(
  { id, machine }: Server,
  session: SessionId,
  pinned: boolean,
): Work<{ readonly epoch: number; readonly was_owned: boolean } | undefined> {
  return first(
    `INSERT INTO session_owners AS owned (session_id, server_id, epoch, machine, was_owned)
     VALUES (?, ?, nextval('epochs'), ?, false)
     ON CONFLICT (session_id) DO UPDATE SET
       server_id = excluded.server_id,
       epoch = excluded.epoch,
       machine = coalesce(owned.machine, excluded.machine),
       was_owned = owned.server_id IS NOT NULL
     WHERE (owned.machine IS NULL OR owned.machine = ?)
       AND (owned.server_id IS NULL OR owned.server_id = excluded.server_id
         OR NOT EXISTS (SELECT FROM servers WHERE id = owned.server_id AND ${isRunning}))
     RETURNING epoch, was_owned`,
    [session, id, pinned ? machine : null, machine],
  );
}

interface OwnedRow {
  readonly session_id: SessionId;
  readonly epoch: number;
}

/** Most writes are for one session, and this statement is faster to plan and run. */
const lockedOwner = 'SELECT session_id, epoch FROM session_owners WHERE session_id = ? FOR SHARE';
const lockedOwners = `
  SELECT session_id, epoch FROM session_owners
  WHERE session_id IN (SELECT jsonb_array_elements_text(?::jsonb))
  ORDER BY session_id FOR SHARE`;

/** Locks the rows, so that nobody can claim one of the sessions before the write is committed. */
function* fence(tenures: readonly Tenure[], onOver: (tenure: Tenure) => void): Work<void> {
  const ids = tenures.map(({ session }) => session);
  const rows = yield* ids.length === 1
    ? all<OwnedRow>(lockedOwner, ids)
    : all<OwnedRow>(lockedOwners, [JSON.stringify(ids)]);
  const current = new Map(rows.map(({ session_id, epoch }) => [session_id, epoch]));
  const over = tenures.filter(({ session, epoch }) => current.get(session) !== epoch);
  if (over.length === 0) return;
  for (const tenure of over) onOver(tenure);
  throw movedAway();
}

const unowned = `
  SELECT DISTINCT turns.session_id FROM turns
  LEFT JOIN session_owners ON session_owners.session_id = turns.session_id
  LEFT JOIN servers ON servers.id = session_owners.server_id AND ${isRunning}
  WHERE turns.status IN ('queued', 'running')
    AND (servers.id IS NULL
      OR (servers.id = ? AND turns.session_id IN (SELECT jsonb_array_elements_text(?::jsonb))))
    AND (session_owners.machine IS NULL OR session_owners.machine = ?)
  LIMIT 1000`;
