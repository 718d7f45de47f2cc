// All secret values inside a configuration, so that the log can look out for them.
import { Secret } from './secret.ts';

export function secretsOf(...values: readonly unknown[]): readonly string[] {
  return values.flatMap((value): readonly string[] => {
    if (value instanceof Secret) return [value.reveal()];
    return typeof value === 'object' && value !== null ? secretsOf(...Object.values(value)) : [];
  });
}
