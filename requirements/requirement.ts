// One behaviour that Parley promises, as data. A test proves it by citing its id at the end of its title.

export interface Requirement {
  /** Area and behaviour, such as `kitchen.sse.done-event`. Never renamed once a test cites it. */
  readonly id: string;
  /** The specification that asks for the behaviour. */
  readonly seed: 1 | 2 | 3 | 4 | 5;
  /** The heading of that specification, word for word. */
  readonly heading: string;
  /** The behaviour in one sentence, in Parley's own words. */
  readonly promise: string;
  /** Not proven yet: no test may cite it. Whoever writes the test removes this. */
  readonly pending?: true;
}
