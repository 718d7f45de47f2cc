// The settings of the server that have a field in the web app, and the catalog of the server's sentences in German.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import PO from 'pofile';
import { expect, it } from 'vitest';
import { allSettings } from '../packages/server/src/config/schema.ts';

const web = join(import.meta.dirname, '../packages/web');
const read = (file: string) => readFileSync(join(web, file), 'utf8');

it('every field of the settings is explained in German [team.app.language]', () => {
  const forms = ['server-section.tsx', 'bots/bots-section.tsx'].map((file) => read(`src/settings/${file}`));
  const keys = new Set(
    forms.flatMap((form) => Array.from(form.matchAll(/ key: '([\w.]+)'/g), ([, key]) => key)),
  );
  const shown = allSettings.filter(({ key }) => keys.has(key));
  expect(shown).toHaveLength(keys.size);
  const texts = shown.flatMap(({ meaning, fallback = meaning }) => [meaning, fallback]);
  const translated = new Set(PO.parse(read('locales/server/de.po')).items.map(({ msgid }) => msgid));
  const asValue = (text: string) => text.replaceAll(/`\{\{(\w+)\}\}`/g, '{$1}');
  expect(texts.filter((text) => !translated.has(asValue(text)))).toEqual([]);
});
