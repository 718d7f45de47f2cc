// Translates sentences from the server, which writes and stores English. The catalogs in `locales/server/` have the
// sentences from its source, so the page recognizes them and their values.
import type { PushLanguage } from '@parley/protocol';
import { dollars, whole } from '../ui/amounts.ts';
import { bestLanguage } from './match.ts';
import { i18n, translate } from './translate.ts';

interface Template {
  readonly text: string;
  /** A template with few words of its own would match any sentence, so it only matches parts. */
  readonly isPart: boolean;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/** Longer text is the output of a program. */
const longest = 1_000;
const endsSentence = /[.?!]$/;
const fewLetters = 20;

let known: ReadonlySet<string> = new Set();
let templates: readonly Template[] = [];

/** Call this with the sentences of a catalog before its language is used. */
export function learnSentences(sentences: readonly string[]): void {
  known = new Set(sentences);
  // The longest one that matches wins.
  templates = sentences
    .filter((text) => text.includes('{'))
    .toSorted((a, b) => b.length - a.length)
    .map(toTemplate);
}

/** Undefined if it is not a whole sentence that the server has in its source, or if the language is English. */
export function translatedSentence(english: string): string | undefined {
  return endsSentence.test(english) ? translated(english) : undefined;
}

/** Translates a sentence from the server, or a part of one. Names and paths stay as they are. */
export function serverText(english: string): string {
  return translated(english) ?? amountOrDay(english) ?? english;
}

/** Makes a sentence of a part that is shown on its own. */
export function asSentence(part: string): string {
  return `${part.charAt(0).toUpperCase()}${part.slice(1)}${endsSentence.test(part) ? '' : '.'}`;
}

/** Translates facts from the server that are separated by `; `, or by ` → ` for a change. */
export function serverFacts(english: string): string {
  return english
    .split(/(; | → )/)
    .map(serverText)
    .join('');
}

function translated(english: string): string | undefined {
  if (english.length > longest) return undefined;
  if (known.has(english)) return translate(english);
  const isSentence = endsSentence.test(english);
  for (const { text, isPart, pattern, names } of templates) {
    const found = isPart && isSentence ? undefined : pattern.exec(english);
    if (found)
      return translate(text, Object.fromEntries(names.map((name, at) => [name, valueText(found[at + 1])])));
  }
  return undefined;
}

/** A path may contain any words, so it isn't translated. */
function valueText(english = ''): string {
  return /^([~/]|\w:\\)/.test(english) ? english : serverText(english);
}

function amountOrDay(english: string): string | undefined {
  if (/^\$[\d,]+(\.\d+)?$/.test(english)) return dollars(Number(english.replaceAll(/[$,]/g, '')));
  if (/^\d{1,3}(,\d{3})+$/.test(english)) return whole(Number(english.replaceAll(',', '')));
  const size = /^(\d+(?:\.\d+)?) ([KMGT]B)$/.exec(english);
  if (size) return `${i18n.number(Number(size[1]))} ${size[2]}`;
  const day = /^[A-Z][a-z]+ \d{1,2}$/.test(english) ? Date.parse(`${english}, 2000 UTC`) : Number.NaN;
  return Number.isNaN(day)
    ? undefined
    : i18n.date(new Date(day), { day: 'numeric', month: 'long', timeZone: 'UTC' });
}

function toTemplate(text: string): Template {
  const [first = '', ...rest] = text.split(/\{(\w+)\}/);
  const names = rest.filter((_, at) => at % 2 === 0);
  const literals = [first, ...rest.filter((_, at) => at % 2 === 1)].map((literal) =>
    literal.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
  );
  const letters = text.replaceAll(/\{\w+\}|[^\p{L}]/gu, '').length;
  return {
    text,
    isPart: !endsSentence.test(text) && letters < fewLetters,
    pattern: new RegExp(`^${literals.join('(.+?)')}$`, 's'),
    names,
  };
}

const serverLanguages: readonly PushLanguage[] = ['en', 'de'];

/** The language for what the server writes itself: exports, links and notifications. */
export function serverLanguage(): string {
  return bestLanguage([i18n.locale], serverLanguages);
}
