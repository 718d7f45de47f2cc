// Turns the lines of the usage book into what the charts show.
import { addUsage, noUsage, totalTokens, type Usage, type UsageOverview } from '@parley/protocol';

type Line = UsageOverview['days'][number];

export interface Bar {
  readonly label: string;
  readonly costUsd: number;
  readonly tokens: number;
  readonly turns: number;
}

/** One bar for each of the last so many days up to `today`, empty ones included. */
export function byDay(lines: readonly Line[], days: number, today: Date): readonly Bar[] {
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(today.getTime() - (days - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    return toBar(
      day,
      lines.filter((line) => line.day === day),
    );
  });
}

/** One bar for each value of a field, the dearest first. */
export function by(field: 'model' | 'person' | 'engine', lines: readonly Line[]): readonly Bar[] {
  const names = [...new Set(lines.map((line) => line[field]))];
  return names
    .map((name) =>
      toBar(
        name || 'unknown',
        lines.filter((line) => line[field] === name),
      ),
    )
    .toSorted((a, b) => b.costUsd - a.costUsd || b.tokens - a.tokens);
}

export function total(lines: readonly Line[]): Bar {
  return toBar('total', lines);
}

function toBar(label: string, lines: readonly Line[]): Bar {
  const usage = lines.reduce<Usage>((sum, line) => addUsage(sum, line.usage), noUsage);
  return {
    label,
    costUsd: usage.costUsd,
    tokens: totalTokens(usage),
    turns: lines.reduce((sum, line) => sum + line.turns, 0),
  };
}
