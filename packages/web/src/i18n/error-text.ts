// The text for an error. The server explains its errors in English. In other languages, a sentence that isn't in the
// catalog is replaced by a general one for its code.
import { translatedSentence } from './server-text.ts';
import { i18n, t } from './translate.ts';

/** Not for codes whose sentence says exactly what is wrong, such as `invalid`. */
const sentences: Partial<Record<string, () => string>> = {
  unauthenticated: () => t('You are logged out. Log in again.'),
  forbidden: () => t('You are not allowed to do this.'),
  not_found: () => t('It was deleted, or it belongs to somebody else.'),
  not_resumable: () =>
    t('Claude can’t continue this session. Its messages stay here. Continue in a new session.'),
  in_terminal: () => t('This session is open in a terminal.'),
  rate_limited: () => t('Too many requests. Wait a moment, then try again.'),
  over_budget: () => t('A budget is used up. Wait until it resets, or ask an owner to raise it.'),
  storage_full: () => t('Your storage on the server is full. Delete old conversations.'),
  busy: () => t('Parley is busy. Try again in a moment.'),
  lagged: () => t('The connection was too slow. Reload the page.'),
  unavailable: () => t('This is not available at the moment. Try again later.'),
  internal: () => t('Something went wrong in Parley. The server log has the details.'),
  offline: () => t('Can’t reach the server. Check that Parley is running.'),
};

export function errorText(error: unknown): string {
  const { code = '', message } = (error ?? {}) as { code?: string; message?: string };
  if (message === undefined) return t('Something went wrong.');
  if (i18n.locale === 'en' && code !== 'offline') return message;
  return translatedSentence(message) ?? sentences[code]?.() ?? message;
}
