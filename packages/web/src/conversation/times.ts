// Times as people say them.
import { i18n, t } from '../i18n/translate.ts';

export function seconds(ms: number): string {
  // Less than a minute even when it is rounded.
  if (ms < 59_950) return t('{seconds} s', { seconds: i18n.number(ms / 1_000, tenths) });
  const rounded = Math.round(ms / 1_000);
  return t('{minutes} min {seconds} s', { minutes: Math.floor(rounded / 60), seconds: rounded % 60 });
}

const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

export function ago(iso: string, now: number): string {
  const minutes = Math.round((Date.parse(iso) - now) / 60_000);
  const relative = new Intl.RelativeTimeFormat(i18n.locale, { numeric: 'auto', style: 'short' });
  if (minutes > -1) return t('now');
  if (minutes > -60) return relative.format(minutes, 'minute');
  if (minutes > -60 * 24) return relative.format(Math.round(minutes / 60), 'hour');
  if (minutes > -60 * 24 * 7) return relative.format(Math.round(minutes / 60 / 24), 'day');
  return i18n.date(new Date(iso), { dateStyle: 'medium' });
}

export function dayAndTime(at: number): string {
  return i18n.date(new Date(at), { dateStyle: 'medium', timeStyle: 'medium' });
}
