// Pins, tags, archives and removes sessions. A removed session is hidden at once and deleted for good when its time is
// up, even if the server restarts in between.
import { ParleyError, type Session, type SessionId } from '@parley/protocol';
import { type Access, type Actor, personOf, requireLevel } from '../domain/access.ts';
import type { BranchStore } from '../domain/branch-store.ts';
import { familyOf } from '../domain/branches.ts';
import type { Clock } from '../domain/clock.ts';
import { type CodeSessions, openSession } from '../domain/code-sessions.ts';
import type { Gateway } from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import type { MarkStore, Organizer } from '../domain/session-marks.ts';
import { systemTimers, type Timers } from '../domain/timers.ts';

export interface OrganizerOptions {
  readonly store: MarkStore;
  readonly branches: Pick<BranchStore, 'list'>;
  readonly gateway: Gateway;
  readonly codeSessions: CodeSessions | undefined;
  readonly access: Access;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timers?: Timers;
  /** How long a removed session can be restored. */
  readonly undoMs?: number;
}

export interface RunningOrganizer extends Organizer {
  /** Deletes what is due. Called every few seconds from then on. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

const usualUndoMs = 30_000;
const sweepMs = 5_000;

export function createOrganizer(options: OrganizerOptions): RunningOrganizer {
  const { store, branches, gateway, codeSessions, access, clock, logger, undoMs = usualUndoMs } = options;
  const timers = options.timers ?? systemTimers;
  let isClosed = false;
  let failing: ReadonlySet<SessionId> = new Set();
  let sweeping: Promise<void> = Promise.resolve();
  let cancel = timers.after(sweepMs, () => void organizer.sweep());

  async function open(actor: Actor, ids: readonly SessionId[]): Promise<readonly Session[]> {
    const sessions: Session[] = [];
    for (const id of ids) sessions.push(await openSession(gateway, codeSessions, actor, id));
    return sessions;
  }

  async function deleteDue(): Promise<void> {
    const failed = new Set<SessionId>();
    for (const { id, person, engine } of await store.takeDue(clock.now())) {
      try {
        if (engine === 'claude-code') await codeSessions?.remove(person, id);
        else await gateway.deleteSession(person, id);
      } catch (error) {
        // It may have been deleted together with its family. Otherwise, the next round tries again.
        if (error instanceof ParleyError && error.code === 'not_found') continue;
        failed.add(id);
        // Its machine may be away for days.
        if (failing.has(id)) continue;
        logger.warn({ err: error, session: id }, 'a removed session could not be deleted');
      }
    }
    failing = failed;
  }

  /** All versions are removed and restored together. */
  async function family(id: SessionId): Promise<readonly SessionId[]> {
    return familyOf(id, await branches.list(id));
  }

  const organizer: RunningOrganizer = {
    marks: (actor) => store.of(personOf(actor)),

    async mark(actor, ids, change) {
      const person = personOf(actor);
      const sessions = await open(actor, ids);
      const { isArchived, ...others } = change;
      // The program has an archive of its own, which its list shows too.
      const own = sessions.filter((one) => one.engine === 'claude-code' && one.person === person);
      if (isArchived !== undefined)
        for (const { id } of own) await codeSessions?.archive(actor, id, isArchived);
      const ownIds = new Set(own.map(({ id }) => id));
      await store.change(
        person,
        ids.filter((id) => ownIds.has(id)),
        others,
      );
      await store.change(
        person,
        ids.filter((id) => !ownIds.has(id)),
        change,
      );
    },

    async remove(actor, ids) {
      const until = clock.now() + undoMs;
      const removed: SessionId[] = [];
      const busy: SessionId[] = [];
      for (const session of await open(actor, ids)) {
        requireLevel(access, actor, session, 'own');
        const members = await family(session.id);
        const isRemoved = await removeAll(members, until);
        (isRemoved ? removed : busy).push(session.id);
      }
      return { removed, busy, until };
    },

    async restore(actor, ids) {
      const person = personOf(actor);
      const back: SessionId[] = [];
      for (const id of ids) {
        if (!(await store.restore(id, person, clock.now()))) continue;
        back.push(id);
        for (const member of await family(id)) await store.restore(member, person, clock.now());
      }
      return back;
    },

    sweep() {
      cancel();
      sweeping = sweeping
        .then(deleteDue)
        .catch((error: unknown) => logger.warn({ err: error }, 'removed sessions could not be read'))
        .then(() => {
          if (!isClosed) cancel = timers.after(sweepMs, () => void organizer.sweep());
        });
      return sweeping;
    },

    async close() {
      isClosed = true;
      cancel();
      await sweeping;
    },
  };
  return organizer;

  /** Removes all or none: if one is working, all stay. */
  async function removeAll(members: readonly SessionId[], until: number): Promise<boolean> {
    const hidden: SessionId[] = [];
    for (const id of members) {
      if (await store.remove(id, until)) {
        hidden.push(id);
        continue;
      }
      for (const one of hidden) await store.unhide(one);
      return false;
    }
    return true;
  }
}
