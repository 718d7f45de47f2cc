// Remembers the newest activities of each person for everybody who listens. Bounded; readers hold a number.
import type { PersonName } from '@parley/protocol';
import { type Access, onlyOwnSessions, personOf } from '../domain/access.ts';
import type {
  Activity,
  ActivityFeed,
  ActivityObserver,
  ActivityRelay,
  NumberedActivity,
} from '../domain/activity.ts';
import type { Clock } from '../domain/clock.ts';

export interface ActivityLogOptions {
  readonly clock: Clock;
  readonly access?: Pick<Access, 'mayUse'>;
  /** Called when a person gets their first listener, to report what the gateway doesn't know. */
  readonly watch?: (person: PersonName, report: (activity: Activity) => void) => void;
  /** Absent if there is only one server. */
  readonly relay?: ActivityRelay | undefined;
}

/** More than a phone misses in a tunnel. */
const remembered = 200;

interface PersonalLog {
  /** In the order in which they arrived here, which is almost the order of their numbers. */
  entries: (NumberedActivity & { readonly position: number })[];
  positions: number;
  last: number;
  readonly waiting: Set<() => void>;
}

export function createActivityLog({
  clock,
  watch,
  relay,
  access = onlyOwnSessions,
}: ActivityLogOptions): ActivityFeed & ActivityObserver {
  const logs = new Map<PersonName, PersonalLog>();
  const watched = new Set<PersonName>();

  /** Numbers are times, so that they also mean something to other servers, and after a restart. */
  function logOf(person: PersonName): PersonalLog {
    const known = logs.get(person);
    if (known) return known;
    const log = { entries: [], positions: 0, last: clock.now() * 1_000, waiting: new Set<() => void>() };
    logs.set(person, log);
    return log;
  }

  function noticed(person: PersonName, activity: Activity): void {
    const number = Math.max(logOf(person).last + 1, clock.now() * 1_000);
    add(person, { number, activity });
    relay?.publish({ type: 'noticed', person, number, activity });
  }

  function add(person: PersonName, { number, activity }: NumberedActivity): void {
    const log = logOf(person);
    log.last = Math.max(log.last, number);
    log.positions += 1;
    log.entries = [...log.entries.slice(1 - remembered), { number, activity, position: log.positions }];
    for (const wake of log.waiting) wake();
    log.waiting.clear();
  }

  function startWatching(person: PersonName): void {
    if (watched.has(person)) return;
    watched.add(person);
    watch?.(person, (activity) => noticed(person, activity));
  }

  relay?.onNews((news) => {
    if (news.type === 'listening') startWatching(news.person);
    if (news.type === 'noticed') add(news.person, news);
  });

  return {
    noticed,
    lastNumber: (person) => logOf(person).last,
    async *subscribe(actor, { after, signal }) {
      const person = personOf(actor);
      startWatching(person);
      const stop = relay?.listening(person);
      try {
        const log = logOf(person);
        let { positions: seen } = log;
        let fresh = log.entries.filter(({ number }) => after !== undefined && number > after);
        while (!signal.aborted) {
          for (const { number, activity } of fresh)
            if (access.mayUse(actor, activity.session)) yield { number, activity };
          if (log.positions === seen) await changed(log, signal);
          const before = seen;
          seen = log.positions;
          fresh = log.entries.filter(({ position }) => position > before);
        }
      } finally {
        stop?.();
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
