// One behavior that Parley promises, as data. A test proves it by citing its id at the end of its title.

export interface Requirement {
  /** Area and behavior, such as `kitchen.sse.done-event`. Never renamed once a test cites it. */
  readonly id: string;
  /** The number of the specification that asks for the behavior. */
  readonly spec: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
  /** The behavior in one sentence. */
  readonly promise: string;
  /** No test proves it yet, and none may cite it. */
  readonly pending?: true;
}

/** Lists what one specification promises: a sentence for each id, or `{ pending: sentence }` until a test proves it. */
export function promisesOf(
  spec: Requirement['spec'],
  promises: Readonly<Record<string, string | { readonly pending: string }>>,
): Requirement[] {
  return Object.entries(promises).map(([id, promise]) =>
    typeof promise === 'string'
      ? { id, spec, promise }
      : { id, spec, promise: promise.pending, pending: true },
  );
}
