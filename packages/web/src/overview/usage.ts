// Adds up recorded usage for the charts.
import { addUsage, noUsage, totalTokens, type Usage, type UsageOverview } from '@parley/protocol';
import { t } from '../i18n/translate.ts';
import { compact } from '../ui/amounts.ts';

type Line = UsageOverview['days'][number];

export interface Bar {
  readonly label: string;
  readonly costUsd: number;
  readonly tokens: number;
  readonly turns: number;
}

/** One bar per day for the last `days` days up to `today`, including empty ones. */
export function barsByDay(lines: readonly Line[], days: number, today: Date): readonly Bar[] {
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(today.getTime() - (days - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    return toBar(
      day,
      lines.filter((line) => line.day === day),
    );
  });
}

/** One bar per value of a field, the most expensive first. */
export function by(field: 'model' | 'person', lines: readonly Line[]): readonly Bar[] {
  const names = [...new Set(lines.map((line) => line[field]))];
  return names
    .map((name) =>
      toBar(
        name || t('unknown'),
        lines.filter((line) => line[field] === name),
      ),
    )
    .toSorted((a, b) => b.costUsd - a.costUsd || b.tokens - a.tokens);
}

export function turnsText(count: number): string {
  return t('{count, plural, one {# turn} other {# turns}}', { count });
}

export function turnsAndTokens({ turns, tokens }: Pick<Bar, 'turns' | 'tokens'>): string {
  return `${turnsText(turns)} · ${t('{tokens} tokens', { tokens: compact(tokens) })}`;
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
