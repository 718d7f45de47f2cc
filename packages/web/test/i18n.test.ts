// Languages: how texts are translated, and what adding a language takes.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compileCatalog, messageCatalogs } from '../scripts/catalog-plugin.ts';
import type * as languageModule from '../src/i18n/language.tsx';
import { bestLanguage, regionsOf } from '../src/i18n/match.ts';
import { i18n, t } from '../src/i18n/translate.ts';
import { turnsText } from '../src/overview/usage.ts';
import { dollars, shortDay } from '../src/ui/amounts.ts';

const locales = join(import.meta.dirname, '../locales');

afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

function speak(language: string): void {
  const po = readFileSync(join(locales, `${language}.po`), 'utf8');
  i18n.loadAndActivate({ locale: language, messages: compileCatalog(po) as typeof i18n.messages });
}

describe('a text', () => {
  it('is English without a catalog, with its values and plurals', () => {
    expect([turnsText(1), turnsText(1_200)]).toEqual(['1 turn', '1,200 turns']);
  });

  it('is translated, with numbers and dates as the language writes them', () => {
    speak('de');
    expect([turnsText(1), turnsText(1_200)]).toEqual(['1 Anfrage', '1.200 Anfragen']);
    expect(dollars(1.5)).toBe('1,50\u00A0$');
    expect(shortDay('2026-11-16')).toBe('16. Nov.');
  });

  it('shows values as they are, whatever they look like', () => {
    const time = 'C:\\x41 {count} <code>';
    expect(t('next attempt at {time}', { time })).toBe(`next attempt at ${time}`);
  });

  it('has its placeholders checked by the compiler', () => {
    // @ts-expect-error The value is missing.
    const without = () => t('next attempt at {time}');
    // @ts-expect-error The value has another name.
    const misnamed = () => t('next attempt at {time}', { at: 'noon' });
    // @ts-expect-error A plural takes a number.
    const uncounted = () => t('{count, plural, one {# turn} other {# turns}}', { count: '1' });
    // @ts-expect-error There is no placeholder.
    const needless = () => t('Overview', { time: 'noon' });
    expect([without, misnamed, uncounted, needless]).toHaveLength(4);
  });

  it('leaves plain texts out of the built English catalog', () => {
    const english = compileCatalog(readFileSync(join(locales, 'en.po'), 'utf8'), true);
    expect(Object.keys(english)).toContain('{tokens} tokens');
    expect(Object.keys(english)).not.toContain('Overview');
  });
});

describe('the language', () => {
  it('is the first one of the browser that Parley has', () => {
    expect(bestLanguage(['fr-FR', 'de-AT', 'en-US'], ['de', 'en'])).toBe('de');
    expect(bestLanguage(['en-GB', 'de'], ['de', 'en'])).toBe('en');
    expect(bestLanguage(['pt-PT'], ['en', 'pt-BR'])).toBe('pt-BR');
    expect(bestLanguage(['fr'], ['de', 'en'])).toBe('en');
    expect(bestLanguage([], ['de', 'en'])).toBe('en');
  });

  it('takes dates and numbers from the region of the person', () => {
    expect(regionsOf('en', ['de', 'en-GB'])).toEqual(['en-GB', 'en']);
    expect(regionsOf('de', ['en-US'])).toEqual(['de']);
    expect(regionsOf('en', ['en-US@posix'])).toEqual(['en']);
  });

  it('is added with one file', async () => {
    const root = mkdtempSync(join(import.meta.dirname, '../../../node_modules/.cache-languages-'));
    try {
      cpSync(locales, join(root, 'locales'), { recursive: true });
      for (const part of ['i18n', 'ui/amounts.ts'])
        cpSync(join(locales, '../src', part), join(root, 'src', part), { recursive: true });
      writeFileSync(join(root, 'locales/fr.po'), 'msgid "Overview"\nmsgstr "Aperçu"\n');
      writeFileSync(
        join(root, 'main.ts'),
        "export * from './src/i18n/language.tsx'; export { t } from './src/i18n/translate.ts';",
      );
      await build({
        root,
        logLevel: 'silent',
        configFile: false,
        plugins: [messageCatalogs()],
        build: { ssr: 'main.ts', outDir: 'dist' },
      });
      const page = { documentElement: { lang: '' }, baseURI: 'http://127.0.0.1/', cookie: '' };
      vi.stubGlobal('document', page);
      vi.stubGlobal('localStorage', { getItem: () => null });
      vi.stubGlobal('navigator', { languages: ['fr-CA', 'de'] });
      const built = (await import(
        pathToFileURL(join(root, 'dist/main.js')).href
      )) as typeof languageModule & { t: typeof t };
      expect(built.languages).toEqual(['de', 'en', 'fr']);
      expect(built.languageName('fr')).toBe('français');
      await built.applyLanguage();
      expect([page.documentElement.lang, built.t('Overview')]).toEqual(['fr', 'Aperçu']);
    } finally {
      vi.unstubAllGlobals();
      rmSync(root, { recursive: true, force: true });
    }
  });
});
