// The language of the app: the one chosen in this browser, otherwise the first of the browser's languages that has a
// catalog, otherwise English. To add a language, add a file to `packages/web/locales/`.
import type { Messages } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { bestLanguage, regionsOf } from './match.ts';
import { learnSentences } from './server-text.ts';
import { i18n } from './translate.ts';

const key = 'parley.language';
const catalogs = byLanguage(import.meta.glob<Messages>('../../locales/*.po', { import: 'default' }));
/** For the sentences that the server writes in English. */
const serverCatalogs = byLanguage(
  import.meta.glob<Messages>('../../locales/server/*.po', { import: 'default' }),
);

/** Codes such as `de`. */
export const languages: readonly string[] = Object.keys(catalogs).toSorted();

/** `Deutsch` for `de`, because people look for their language under its own name. */
export function languageName(language: string): string {
  return new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
}

/** Undefined while the language follows the browser. */
export function chosenLanguage(): string | undefined {
  const chosen = localStorage.getItem(key);
  return chosen !== null && languages.includes(chosen) ? chosen : undefined;
}

export async function chooseLanguage(language: string | undefined): Promise<void> {
  if (language === undefined) localStorage.removeItem(key);
  else localStorage.setItem(key, language);
  await applyLanguage();
}

/** Loads the catalogs of one language. Call this before the first paint. */
export async function applyLanguage(): Promise<void> {
  const chosen = chosenLanguage();
  rememberForServer(chosen);
  const language = chosen ?? bestLanguage(navigator.languages, languages);
  const [texts, sentences = {}] = await Promise.all([catalogs[language]?.(), serverCatalogs[language]?.()]);
  learnSentences(Object.keys(sentences));
  i18n.loadAndActivate({
    locale: language,
    locales: regionsOf(language, navigator.languages),
    messages: { ...sentences, ...texts },
  });
  document.documentElement.lang = language;
}

/** The pages that the server itself renders, such as the login form, follow the choice too. */
function rememberForServer(chosen: string | undefined): void {
  const { pathname, protocol } = new URL(document.baseURI);
  const seconds = chosen === undefined ? 0 : 365 * 86_400;
  const attributes = `Path=${pathname}; Max-Age=${seconds}; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
  document.cookie = `parley_language=${chosen ?? ''}; ${attributes}`;
}

/**
 * Mounts the pages again when the language changes, so that any function can translate without watching the language.
 * Pages keep what matters, such as drafts, outside of their components.
 */
export function InLanguage({ children }: { children: ReactNode }) {
  const language = useSyncExternalStore(
    (listener) => i18n.on('change', listener),
    () => i18n.locale,
  );
  return (
    <I18nProvider key={language} i18n={i18n}>
      {children}
    </I18nProvider>
  );
}

function byLanguage<Load>(files: Readonly<Record<string, Load>>): Readonly<Record<string, Load>> {
  return Object.fromEntries(
    Object.entries(files).map(([path, load]) => [path.replace(/^.*\/|\.po$/g, ''), load]),
  );
}
