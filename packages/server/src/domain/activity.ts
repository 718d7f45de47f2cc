// The port of what a person may want to hear of while they look elsewhere, over all their sessions.
import type { EngineName, PersonName, SessionId, TurnOutcome } from '@parley/protocol';

/** The session that something happened in, as a notice names it. */
export interface ActiveSession {
  readonly id: SessionId;
  readonly engine: EngineName;
  readonly title: string;
  /** Where the session works, if it works in a folder. */
  readonly project: string | undefined;
}

export type Activity =
  | { readonly type: 'title-changed'; readonly session: ActiveSession }
  | { readonly type: 'permission-waiting'; readonly session: ActiveSession; readonly tool: string }
  | { readonly type: 'turn-ended'; readonly session: ActiveSession; readonly outcome: TurnOutcome };

export interface NumberedActivity {
  readonly number: number;
  readonly activity: Activity;
}

export interface ActivityFeed {
  /** The number of the newest activity: what comes after it is still to be told. */
  lastNumber(person: PersonName): number;
  /**
   * What happens from now on, after what is still remembered since the given number. Ends when the signal aborts.
   * A reader that is slower than the memory misses some: these are notices, not the record.
   */
  subscribe(
    person: PersonName,
    options: { readonly after?: number; readonly signal: AbortSignal },
  ): AsyncIterable<NumberedActivity>;
}

export interface ActivityObserver {
  /** Must neither throw nor wait. */
  noticed(person: PersonName, activity: Activity): void;
}
