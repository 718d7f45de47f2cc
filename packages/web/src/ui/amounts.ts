// Money, tokens, sizes and times in the active language.
import { i18n } from '../i18n/translate.ts';

export function dollars(amount: number): string {
  const currency = { style: 'currency', currency: 'USD' } as const;
  if (amount === 0) return i18n.number(0, { ...currency, maximumFractionDigits: 0 });
  return i18n.number(amount, amount < 0.1 ? { ...currency, maximumSignificantDigits: 2 } : currency);
}

export function whole(amount: number): string {
  return i18n.number(amount);
}

/** `12.3K` instead of `12,345`. */
export function compact(amount: number): string {
  return i18n.number(amount, { notation: 'compact', maximumFractionDigits: 1 });
}

/** `1.5 MB`. */
export function bytes(amount: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const step = amount < 1 ? 0 : Math.min(Math.floor(Math.log10(amount) / 3), units.length - 1);
  const unit = units[step] ?? 'byte';
  // The short form has no plural: "10 byte".
  const unitDisplay = step === 0 ? 'long' : 'short';
  return i18n.number(amount / 1000 ** step, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 });
}

/** A calendar day such as `2026-11-16`, without its year. */
export function shortDay(day: string): string {
  return i18n.date(`${day}T00:00:00Z`, { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

/** The time, with the day unless it is today. */
export function moment(at: number, now: Date): string {
  const then = new Date(at);
  const time = { hour: 'numeric', minute: '2-digit' } as const;
  if (then.toDateString() === now.toDateString()) return i18n.date(then, time);
  return i18n.date(then, { day: 'numeric', month: 'short', ...time });
}
