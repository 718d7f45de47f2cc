// Money, tokens and times as people read them.
const money = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
});
const fine = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 2,
});
const count = new Intl.NumberFormat('en-US');
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

export function dollars(amount: number): string {
  if (amount === 0) return '$0';
  return amount < 0.1 ? fine.format(amount) : money.format(amount);
}

export function whole(amount: number): string {
  return count.format(amount);
}

/** `1 turn`, `2 turns`. */
export function counted(amount: number, one: string): string {
  return `${whole(amount)} ${one}${amount === 1 ? '' : 's'}`;
}

/** `12.3K` in place of `12,345`. */
export function compact(amount: number): string {
  return short.format(amount);
}

export function shortDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
}

/** `14:05`, with the day where it was not today. */
export function moment(at: number, now: Date): string {
  const then = new Date(at);
  const time = then.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (then.toDateString() === now.toDateString()) return time;
  return `${then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${time}`;
}
