// Updates the web app's catalogs with the texts in its source and the server's sentences, and reports what they lack.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import PO from 'pofile';
import { findTexts } from './message-texts.mjs';
import { findSentences, findSentencesOfDriver } from './server-sentences.mjs';

/** With `checking`, reports an outdated catalog as a problem instead of writing it. */
export function updateCatalogs(packages, { checking }) {
  const locales = join(packages, 'web/locales');
  const app = textsIn(join(packages, 'web/src'), /\.tsx?$/, findTexts);
  const server = textsIn(join(packages, 'server/src'), /\.ts$/, (file, code) => ({
    texts: findSentences(file, code),
    problems: [],
  }));
  const driver = textsIn(join(packages, 'claude-cli/src'), /\.ts$/, (file, code) => ({
    texts: findSentencesOfDriver(file, code),
    problems: [],
  }));
  for (const [text, files] of driver.filesOf) server.filesOf.set(text, server.filesOf.get(text) ?? files);
  const problems = [...app.problems];
  for (const [folder, { filesOf }] of [
    [locales, app],
    [join(locales, 'server'), server],
  ]) {
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.po'))) {
      const path = join(folder, name);
      const before = readFileSync(path, 'utf8');
      const after = updated(before, basename(name, '.po'), filesOf);
      problems.push(...gaps(PO.parse(after), name));
      if (before === after) continue;
      if (checking) problems.push(...differences(before, after, name));
      else writeFileSync(path, after);
    }
  }
  return { problems, count: app.filesOf.size + server.filesOf.size };
}

/** The texts below a folder, with the files that have them. */
function textsIn(folder, isSource, find) {
  const found = readdirSync(folder, { recursive: true })
    .filter((file) => isSource.test(file) && /\.tsx?$/.test(file))
    .toSorted(byCodePoint)
    .map((file) => ({ file, ...find(file, readFileSync(join(folder, file), 'utf8')) }));
  const filesOf = new Map();
  for (const { file, texts } of found)
    for (const text of texts) filesOf.set(text, new Set([...(filesOf.get(text) ?? []), file]));
  return { filesOf, problems: found.flatMap((one) => one.problems) };
}

/** The catalog with the texts that the app has now. Drops translations of all others. */
function updated(before, language, filesOf) {
  const { items } = PO.parse(before);
  const known = new Map(items.map((item) => [item.msgid, item.msgstr[0] ?? '']));
  const byShape = new Map(items.map((item) => [withoutNames(item.msgid), item]));
  const catalog = new PO();
  catalog.headers = { Language: language, 'Content-Type': 'text/plain; charset=utf-8' };
  catalog.items = [...filesOf.keys()].toSorted(byCodePoint).map((text) => {
    const item = new PO.Item();
    item.msgid = text;
    item.msgstr = [
      language === 'en' ? text : (known.get(text) ?? renamed(byShape.get(withoutNames(text)), text)),
    ];
    item.references = [...(filesOf.get(text) ?? [])];
    return item;
  });
  return `${catalog.toString().trimEnd()}\n`;
}

/** Reuses a translation whose placeholders had other names, because somebody has renamed a variable. */
function renamed(item, text) {
  if (!item) return '';
  const [before, now] = [item.msgid, text].map((one) =>
    Array.from(one.matchAll(placeholder), ([, name]) => name),
  );
  return (item.msgstr[0] ?? '').replaceAll(
    placeholder,
    (_, name) => `{${now[before.indexOf(name)] ?? name}}`,
  );
}

const placeholder = /\{(\w+)\}/g;

function withoutNames(text) {
  return text.replaceAll(placeholder, '{}');
}

/** What a translator has to do. */
function gaps(catalog, name) {
  const language = basename(name, '.po');
  return catalog.items.flatMap(({ msgid, msgstr: [translation = ''] }) => {
    if (translation === '') return [`${name}: "${msgid}" has no translation.`];
    try {
      const [wanted, actual] = [shapeOf(msgid, 'en'), shapeOf(translation, language)];
      return wanted === actual
        ? []
        : [`${name}: "${translation}" has ${actual}, but "${msgid}" has ${wanted}.`];
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

/** The same order on every machine, whatever its language. */
function byCodePoint(a, b) {
  return a < b ? -1 : 1;
}
