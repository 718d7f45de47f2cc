// Keys under which a running turn was added to, so that who sends again after a lost connection adds nothing twice.
// They live as long as the server, and the oldest are forgotten.
const mostKeys = 1_000;

export class SteeredKeys {
  readonly #steered = new Map<string, Promise<boolean>>();

  /** What came of the first call with the key, unless that was nothing: then it is tried again. */
  once(key: string, steer: () => Promise<boolean>): Promise<boolean> {
    const earlier = this.#steered.get(key);
    if (earlier) return earlier;
    const steered = steer();
    this.#steered.set(key, steered);
    const forget = (): void => void this.#steered.delete(key);
    steered.then((isTaken) => isTaken || forget(), forget);
    const [oldest] = this.#steered.keys();
    if (this.#steered.size > mostKeys && oldest !== undefined) this.#steered.delete(oldest);
    return steered;
  }
}
