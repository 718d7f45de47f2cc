// Remembers the newest activities of each person for everybody who listens. Bounded; readers hold a number.
import type { PersonName, Session, SessionEvent } from '@parley/protocol';
import { type Access, onlyOwnSessions, personOf } from '../domain/access.ts';
import type {
  ActiveSession,
  Activity,
  ActivityFeed,
  ActivityObserver,
  NumberedActivity,
} from '../domain/activity.ts';
import type { Clock } from '../domain/clock.ts';

export interface ActivityLogOptions {
  readonly clock: Clock;
  readonly access?: Pick<Access, 'mayUse'>;
  /** Called with a person's first listener, to report what the gateway doesn't know. */
  readonly watch?: (person: PersonName, report: (activity: Activity) => void) => void;
}

/** More than a phone misses in a tunnel. */
const remembered = 200;

interface PersonalLog {
  entries: NumberedActivity[];
  last: number;
  readonly waiting: Set<() => void>;
}

export function createActivityLog({
  clock,
  watch,
  access = onlyOwnSessions,
}: ActivityLogOptions): ActivityFeed & ActivityObserver {
  const logs = new Map<PersonName, PersonalLog>();
  const watched = new Set<PersonName>();

  /** Numbers start at the time, so those from before a restart are smaller. */
  function logOf(person: PersonName): PersonalLog {
    const log = logs.get(person) ?? { entries: [], last: clock.now() * 1_000, waiting: new Set() };
    logs.set(person, log);
    return log;
  }

  function noticed(person: PersonName, activity: Activity): void {
    const log = logOf(person);
    log.last += 1;
    log.entries = [...log.entries.slice(1 - remembered), { number: log.last, activity }];
    for (const wake of log.waiting) wake();
    log.waiting.clear();
  }

  return {
    noticed,
    lastNumber: (person) => logOf(person).last,
    async *subscribe(actor, { after, signal }) {
      const person = personOf(actor);
      if (!watched.has(person)) {
        watched.add(person);
        watch?.(person, (activity) => noticed(person, activity));
      }
      const log = logOf(person);
      // A number from the future is not one of ours.
      let number = Math.min(after ?? log.last, log.last);
      while (!signal.aborted) {
        const fresh = log.entries.filter((entry) => entry.number > number);
        for (const entry of fresh) {
          number = entry.number;
          if (access.mayUse(actor, entry.activity.session)) yield entry;
        }
        if (fresh.length === 0) await changed(log, signal);
      }
    },
  };
}

function changed({ waiting }: PersonalLog, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      waiting.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    waiting.add(wake);
    if (signal.aborted) wake();
    else signal.addEventListener('abort', wake, { once: true });
  });
}

/** The activity for an event, if there is one. Most events have none, so the session is read only if needed. */
export function toActivity(session: () => Session, event: SessionEvent): Activity | undefined {
  switch (event.type) {
    case 'permission.asked':
      return { type: 'permission-waiting', session: named(session()), tool: event.request.tool };
    case 'turn.ended':
      return { type: 'turn-ended', session: named(session()), outcome: event.outcome };
    default:
      return undefined;
  }
}

function named(session: Session): ActiveSession {
  const { id, engine, assistant, title } = session;
  const project = session.engine === 'claude-code' ? session.settings.workingDir : undefined;
  return { id, engine, assistant, title, project };
}
