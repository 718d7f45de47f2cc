// A value that others watch. `snapshot` and `subscribe` fit React's useSyncExternalStore.
export interface Observable<T> {
  readonly snapshot: () => T;
  readonly subscribe: (listener: () => void) => () => void;
}

export class ObservableValue<T> implements Observable<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  readonly snapshot = (): T => this.#value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(value: T): void {
    if (value === this.#value) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }
}
