// Conversations under the days at which they were last touched, as people speak of days.

export interface DayGroup<T> {
  readonly day: string;
  readonly items: readonly T[];
}

/** Takes them newest first, and leaves them so. */
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
  return [...groups].map(([day, of]) => ({ day, items: of }));
}

function dayOf(at: number, now: number): string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  const days = Math.round((today - new Date(at).setHours(0, 0, 0, 0)) / 86_400_000);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days < 7) return 'This week';
  if (days < 31) return 'This month';
  return new Date(at).toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
}
