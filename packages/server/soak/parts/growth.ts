// Decides whether a repeatedly measured value has grown. Pure.
import { type Figure, percentile } from '../../../../bench/report.ts';

export interface Allowed {
  /** How much it may grow, as a share of the value at the start. */
  readonly share: number;
  /** How much more it may grow, whatever the value at the start was. */
  readonly more: number;
}

/** Compares the first third of the values with the last, without those from the warm-up of the server. */
export function growthFigure(
  what: string,
  unit: string,
  values: readonly number[],
  { share, more }: Allowed,
): Figure {
  const warm = values.slice(Math.floor(values.length / 5));
  const third = Math.max(1, Math.floor(warm.length / 3));
  const before = percentile(warm.slice(0, third), 0.5);
  const after = percentile(warm.slice(-third), 0.5);
  return {
    what,
    value: after,
    unit,
    goal: { atMost: Math.ceil((before * (1 + share) + more) * 10) / 10 },
    comparison: `${before.toFixed(1)} ${unit} before, ${values.length} readings`,
  };
}
