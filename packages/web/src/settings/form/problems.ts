// What is wrong with settings, for the fields that it concerns.
import type { SettingProblem } from '@parley/protocol';
import { asSentence, serverText, translatedSentence } from '../../i18n/server-text.ts';
import { i18n } from '../../i18n/translate.ts';

/** What is wrong at a key, and below it unless it is the key of a whole entry. */
export function problemAt(
  problems: readonly SettingProblem[],
  key: string,
  isEntry = false,
): string | undefined {
  const found = problems.filter((problem) => (isEntry ? problem.key === key : isAt(problem, key)));
  if (found.length === 0) return undefined;
  return found.map((problem) => problemText(problem, key)).join(' ');
}

/** The problems that no field shows. */
export function otherProblems(
  problems: readonly SettingProblem[],
  fields: readonly string[],
  entry: string | undefined,
) {
  return problems.filter((problem) => problem.key !== entry && !fields.some((key) => isAt(problem, key)));
}

/** Names the part of the value, if only a part is wrong. */
export function problemText({ key, message: english, hint }: SettingProblem, shownAt: string): string {
  const message = serverText(english);
  const part = key.startsWith(shownAt) ? key.slice(shownAt.length).replace(/^\./, '') : key;
  const sentence = part === '' ? asSentence(message) : `${part}: ${message}.`;
  // Hints for whole collections explain the file. The meaning of a setting exists only in English.
  const advice = i18n.locale === 'en' ? hint : (translatedSentence(hint) ?? '');
  return hint.startsWith('Each entry ') || advice === '' ? sentence : `${sentence} ${advice}`;
}

function isAt(problem: SettingProblem, key: string): boolean {
  return problem.key === key || problem.key.startsWith(`${key}.`) || problem.key.startsWith(`${key}[`);
}
