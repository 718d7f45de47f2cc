// The app in German: every page, found by the browser's language or chosen in the menu.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import PO from 'pofile';
import { describe, expect, it } from 'vitest';
import { expectAccessible, password, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;
const parley = runningParley();
const web = dirname(createRequire(import.meta.url).resolve('@parley/web/package.json'));
const catalog = PO.parse(readFileSync(join(web, 'locales/de.po'), 'utf8')).items;
/** Texts that are not the same in German. */
const english = catalog
  .filter(({ msgid, msgstr }) => msgid !== msgstr[0])
  .map(({ msgid }) => patternOf(msgid));
const german = new Set(catalog.map(({ msgstr }) => msgstr[0]));
/** Words that no German text has. */
const englishWords = /\b(the|and|of|your|you|with|this|are|to|for|or|is)\b/i;

describe('a German browser', { timeout }, () => {
  it('gets the login form and every page in German', async () => {
    const page = await (await parley.browser.newContext({ locale: 'de-DE' })).newPage();
    await page.goto(`${parley.url}/overview`);
    expect(await englishOn(page)).toEqual([]);
    await page.locator('[name=password]').fill(password);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByRole('heading', { name: 'Wer ist da?' }).waitFor();
    expect(await englishOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'petra' }).click();

    await page.getByRole('heading', { name: 'Übersicht' }).waitFor();
    await page.getByText('Noch keine Bots.').waitFor();
    expect(await page.title()).toBe('Übersicht · Parley');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await expect.poll(() => englishOn(page)).toEqual([]);
    await expectAccessible(page);

    await page.getByRole('button', { name: 'petra: Person und Einstellungen' }).click();
    await page.getByRole('menuitemradio', { name: 'Wie im Browser', checked: true }).waitFor();
    expect(await englishOn(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Hilfe', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Rundgang machen' }).waitFor();
    expect(await englishOn(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Tastenkürzel' }).click();
    await page.getByRole('dialog', { name: 'Tastenkürzel' }).waitFor();
    expect(await englishOn(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Alles durchsuchen' }).fill('xyzxyz');
    await page.getByText('Nichts gefunden').waitFor();
    expect(await englishOn(page)).toEqual([]);
    await page.keyboard.press('Escape');

    const recipes = (await (await page.request.get(`${parley.url}/api/recipes`)).json()) as {
      id: string;
      title: string;
      description: string;
      steps: { instruction: string }[];
    }[];
    const soup = recipes.find(({ title }) => title === 'Roasted Tomato Soup');
    await page.goto(`${parley.url}/recipes/${soup?.id}`);
    await page.getByRole('heading', { name: 'Zubereitung' }).waitFor();
    await page.getByText('4 Portionen').waitFor();
    await page.getByRole('button', { name: 'Timer starten (40 Min.)' }).click();
    // The recipe itself is as its author wrote it.
    const written = [soup?.description ?? '', ...(soup?.steps ?? []).map(({ instruction }) => instruction)];
    expect(await englishOn(page, { words: false, except: written })).toEqual([]);
    await page.goto(`${parley.url}/recipes/no-such-recipe`);
    await page.getByRole('heading', { name: 'Rezept nicht gefunden' }).waitFor();
    expect(await englishOn(page)).toEqual([]);

    await page.setViewportSize(phone);
    await page.goto(`${parley.url}/overview`);
    await page.getByRole('heading', { name: 'Übersicht' }).waitFor();
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBe(0);
    await page.context().close();
  });
});

describe('a German conversation', { timeout }, () => {
  it('is in German around what people and the model write, in chats and sessions [team.app.language]', async () => {
    const page = await parley.visit({ locale: 'de-DE' });
    await page.getByRole('textbox', { name: 'Nachricht', exact: true }).waitFor();
    await page.getByRole('radio', { name: 'Küche' }).check({ force: true });
    // The demo's model understands only English, so its suggestions are English too.
    const suggestions = page.getByRole('main').getByRole('button', { name: 'What recipes do I have?' });
    await suggestions.click();
    await page.getByRole('button', { name: 'Antwort kopieren' }).waitFor();
    const prompt = ['What recipes do I have?'];
    expect(await englishOn(page, { words: false, except: prompt })).toEqual([]);
    await page.getByRole('button', { name: 'Weitere Optionen für What recipes do I have?' }).click();
    await page.getByRole('menuitem', { name: 'Umbenennen' }).click();
    await page.getByRole('dialog', { name: 'Unterhaltung umbenennen' }).waitFor();
    expect(await englishOn(page, { words: false, except: prompt })).toEqual([]);

    await page.goto(`${parley.url}/code`);
    await page.getByText(/Claude arbeitet in einem deiner Ordner und fragt/).waitFor();
    expect(await englishOn(page)).toEqual([]);
    await page.goto(`${parley.url}/code/new`);
    const dialog = page.getByRole('dialog', { name: 'Neue Sitzung' });
    await dialog.getByRole('button', { name: 'reading-list', exact: true }).click();
    expect(await englishOn(page)).toEqual([]);
    await dialog.getByLabel('Erste Nachricht').fill('Run touch hello.txt');
    await dialog.getByRole('button', { name: 'Starten' }).click();
    await page.getByRole('button', { name: /^Einmal erlauben/ }).waitFor();
    expect(await englishOn(page, { words: false })).toEqual([]);
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Einmal erlauben/ }).click();
    await page.getByText(/Tokens geschrieben/).waitFor();
    await page.getByRole('button', { name: 'Sitzungsmenü' }).click();
    await page.getByRole('menuitem', { name: 'Archivieren' }).waitFor();
    expect(await englishOn(page, { words: false })).toEqual([]);

    // So is what the server has found and recorded.
    await page.goto(`${parley.url}/settings/about`);
    await page.getByText('Speicherplatz').waitFor();
    expect(await englishOn(page)).toEqual([]);
    await page.goto(`${parley.url}/settings/audit`);
    await page.getByText('einmal erlaubt').waitFor();
    expect(await englishOn(page)).toEqual([]);
  });
});

describe('the language in the menu', { timeout }, () => {
  it('changes the page without a reload, stays chosen, and loads no other catalog', async () => {
    const page = await parley.visit({ path: '/overview' });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await englishOn(page)).toContain('Overview');
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    const choose = async (menu: string, language: string) => {
      await page.getByRole('button', { name: menu }).click();
      await page.getByRole('menuitemradio', { name: language }).click();
    };
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await choose('sebastian: person and settings', 'Deutsch');
    await page.getByRole('heading', { name: 'Übersicht' }).waitFor();
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
    await expect.poll(() => loginForm(page)).toContain('<html lang="de">');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('sebastian: Person und Einstellungen');

    loaded.length = 0;
    await page.reload();
    await page.getByRole('heading', { name: 'Übersicht' }).waitFor();
    // Its own texts, and the sentences of the server.
    expect(loaded.filter((path) => /\/de-[^/]*\.js$/.test(path))).toHaveLength(2);
    expect(loaded.filter((path) => /\/en-[^/]*\.js$/.test(path))).toEqual([]);

    await choose('sebastian: Person und Einstellungen', 'Wie im Browser');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
    expect(await loginForm(page)).toContain('<html lang="en">');
  });
});

/** The server renders it, with what the browser knows. */
async function loginForm(page: Page): Promise<string> {
  return (await page.request.get(`${parley.url}/login`)).text();
}

/** Texts on the page, also those for screen readers, that are English. */
async function englishOn(
  page: Page,
  { words = true, except = [] }: { words?: boolean; except?: readonly string[] } = {},
): Promise<readonly string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [document.title];
    for (const element of document.querySelectorAll('body *')) {
      if (element.closest('script, style, code, kbd, svg:not(:has(title))')) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        found.push(element.getAttribute(name) ?? '');
      for (const child of element.childNodes) if (child instanceof Text) found.push(child.data);
    }
    return found.map((text) => text.trim()).filter((text) => text !== '');
  });
  return texts.filter(
    (text) =>
      !except.includes(text) &&
      !german.has(text) &&
      (english.some((pattern) => pattern.test(text)) || (words && englishWords.test(text))),
  );
}

/** Matches what a text looks like with its values; each form of a plural is one of several. */
function patternOf(text: string): RegExp {
  const [, forms] = /^\{\w+, plural, (.*)\}$/.exec(text) ?? [];
  const all = forms === undefined ? [text] : [...forms.matchAll(/\{([^}]*)\}/g)].map(([, form = '']) => form);
  const escape = (part: string) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const patterns = all.map((form) =>
    form
      .replace(/<\/?\w+>/g, '')
      .split(/\{\w+\}|#/)
      .map(escape)
      .join('.+'),
  );
  return new RegExp(`^(${patterns.join('|')})$`);
}
