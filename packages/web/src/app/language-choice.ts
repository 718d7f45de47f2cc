// Choosing the language of the app, for the person's menu and the settings.
import { errorText } from '../i18n/error-text.ts';
import { chooseLanguage, languageName, languages } from '../i18n/language.tsx';
import { t } from '../i18n/translate.ts';
import { showNotice } from '../ui/notice.tsx';

/** An empty value follows the browser. */
export function languageOptions(): readonly { readonly value: string; readonly name: string }[] {
  return [
    { value: '', name: t('Same as browser') },
    ...languages.map((language) => ({ value: language, name: languageName(language) })),
  ];
}

/** The pages are mounted again, so the focus has to return to the control with this id. */
export async function switchLanguage(language: string, control: string): Promise<void> {
  try {
    await chooseLanguage(language || undefined);
  } catch (error) {
    showNotice(errorText(error));
  }
  requestAnimationFrame(() => document.getElementById(control)?.focus());
}
