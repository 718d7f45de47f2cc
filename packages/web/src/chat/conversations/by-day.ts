// Groups conversations by the day of their last message, as people name days.
import { i18n, t } from '../../i18n/translate.ts';

export interface DayGroup<T> {
  readonly heading: string;
  readonly items: readonly T[];
}

/** Keeps the order: newest first. */
export function byDay<T extends { readonly updatedAt: number }>(
  items: readonly T[],
  now: number,
): readonly DayGroup<T>[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const day = dayOf(item.updatedAt, now);
    const group = groups.get(day);
    if (group) group.push(item);
    else groups.set(day, [item]);
  }
  return [...groups].map(([heading, of]) => ({ heading, items: of }));
}

function dayOf(at: number, now: number): string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  const days = Math.round((today - new Date(at).setHours(0, 0, 0, 0)) / 86_400_000);
  if (days <= 0) return t('Today');
  if (days === 1) return t('Yesterday');
  if (days < 7) return t('This week');
  if (days < 31) return t('This month');
  return i18n.date(new Date(at), { month: 'long', year: 'numeric' });
}
