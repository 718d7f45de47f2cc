// A value that must never be shown: it prints as `[redacted]` in text and JSON.
import { inspect } from 'node:util';

const redacted = '[redacted]';

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Returns the value. Call it only where the value is sent to its destination. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return redacted;
  }

  toJSON(): string {
    return redacted;
  }

  [inspect.custom](): string {
    return redacted;
  }
}

/** All secret values inside these values, so that the log can remove them. */
export function secretsOf(...values: readonly unknown[]): readonly string[] {
  return values.flatMap((value): readonly string[] => {
    if (value instanceof Secret) return [value.reveal()];
    return typeof value === 'object' && value !== null ? secretsOf(...Object.values(value)) : [];
  });
}
