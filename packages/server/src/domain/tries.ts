// How often something was tried lately, such as a password. A single server counts in memory, several in their database.
export interface Tries {
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly lastAt: number;
}

/** What is counted: a kind, and a name of that kind. */
export type TriedName = readonly [kind: string, name: string];

/** The answer, and the new tries of each name; undefined forgets those of a name. Without `tries`, nothing changes. */
export interface Verdict<T> {
  readonly result: T;
  readonly tries?: readonly (Tries | undefined)[];
}

export interface TriesStore {
  /**
   * Calls `decide` with the tries of each name, and stores what it returns. Nobody else can change them in between.
   * Tries before `since` are forgotten.
   */
  change<T>(
    names: readonly TriedName[],
    since: number,
    decide: (tries: readonly Tries[]) => Verdict<T>,
  ): Promise<T>;
}

export const noTries: Tries = { count: 0, lastAt: 0 };
