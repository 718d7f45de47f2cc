// The catalogs of the web app: brings them up to date with the texts in its source, and finds what they lack.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import PO from 'pofile';
import { findTexts } from './message-texts.mjs';

/** With `checking`, a catalog that is out of date is a problem; otherwise it is written. */
export function updateCatalogs(web, { checking }) {
  const source = join(web, 'src');
  const locales = join(web, 'locales');
  const found = readdirSync(source, { recursive: true })
    .filter((file) => /\.tsx?$/.test(file))
    .toSorted(byCodePoint)
    .map((file) => ({ file, ...findTexts(file, readFileSync(join(source, file), 'utf8')) }));
  const problems = found.flatMap((one) => one.problems);
  const filesOf = new Map();
  for (const { file, texts } of found)
    for (const text of texts) filesOf.set(text, new Set([...(filesOf.get(text) ?? []), file]));

  for (const name of readdirSync(locales).filter((file) => file.endsWith('.po'))) {
    const path = join(locales, name);
    const before = readFileSync(path, 'utf8');
    const after = updated(before, basename(name, '.po'), filesOf);
    problems.push(...gaps(PO.parse(after), name));
    if (before === after) continue;
    if (checking) problems.push(...differences(before, after, name));
    else writeFileSync(path, after);
  }
  return { problems, count: filesOf.size };
}

/** The catalog with the texts that the app has now. Translations of the others are dropped. */
function updated(before, language, filesOf) {
  const known = new Map(PO.parse(before).items.map((item) => [item.msgid, item]));
  const catalog = new PO();
  catalog.headers = { Language: language, 'Content-Type': 'text/plain; charset=utf-8' };
  catalog.items = [...filesOf.keys()].toSorted(byCodePoint).map((text) => {
    const item = known.get(text) ?? new PO.Item();
    item.msgid = text;
    item.msgstr = [language === 'en' ? text : (item.msgstr[0] ?? '')];
    item.references = [...(filesOf.get(text) ?? [])];
    return item;
  });
  return `${catalog.toString().trimEnd()}\n`;
}

/** What a translator has to do. */
function gaps(catalog, name) {
  const language = basename(name, '.po');
  return catalog.items.flatMap(({ msgid, msgstr: [translation = ''] }) => {
    if (translation === '') return [`${name}: "${msgid}" has no translation.`];
    try {
      const [wanted, is] = [shapeOf(msgid, 'en'), shapeOf(translation, language)];
      return wanted === is ? [] : [`${name}: "${translation}" has ${is}, but "${msgid}" has ${wanted}.`];
    } catch (error) {
      return [`${name}: "${translation}": ${error.message}`];
    }
  });
}

function differences(before, after, name) {
  const [old, now] = [before, after].map((po) => new Set(PO.parse(po).items.map(({ msgid }) => msgid)));
  const all = [
    ...[...now].filter((text) => !old.has(text)).map((text) => `${name}: "${text}" is missing.`),
    ...[...old].filter((text) => !now.has(text)).map((text) => `${name}: "${text}" is no longer used.`),
  ];
  return [...(all.length > 0 ? all : [`${name} is out of date.`]), 'Run npm run messages.'];
}

/** The placeholders and tags of a text, which every translation has to have too. */
function shapeOf(text, language) {
  const names = new Set();
  const visit = (tokens) => {
    for (const token of tokens) {
      if (typeof token === 'string') continue;
      const [name, type, choices] = token;
      names.add(`{${name}${type ? `, ${type}` : ''}}`);
      if (type !== 'plural' && type !== 'selectordinal' && type !== 'select') continue;
      if (type === 'plural') checkPlural(choices, language);
      for (const choice of Object.values(choices)) if (Array.isArray(choice)) visit(choice);
    }
  };
  visit(compileMessageOrThrow(text));
  for (const [tag] of text.matchAll(/<\/?\w+\/?>/g)) names.add(tag);
  return [...names].toSorted(byCodePoint).join(' ') || 'no placeholders';
}

function checkPlural(choices, language) {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  const missing = pluralCategories.filter((category) => choices[category] === undefined);
  if (missing.length > 0) throw new Error(`the plural has no form "${missing.join('", "')}".`);
}

/** The same on every machine, whatever its language. */
function byCodePoint(a, b) {
  return a < b ? -1 : 1;
}
