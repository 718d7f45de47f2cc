// Highlights code outside the page's thread, because loading a grammar takes long enough to notice while typing or
// scrolling. If a block grows, only the added part is processed.

import {
  type BundledLanguage,
  bundledLanguages,
  createHighlighter,
  type GrammarState,
  type ThemedToken,
} from 'shiki';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { BoundedMap } from '../../bounded-map.ts';
import type { HighlightedLine, HighlightReply, HighlightRequest } from './highlight-wire.ts';

interface Progress {
  readonly language: string;
  /** Whole lines only. */
  readonly code: string;
  readonly lines: number;
  readonly state: GrammarState | undefined;
}

/** More blocks than are ever written at the same time. */
const maxBlocks = 16;
const progress = new BoundedMap<number, Progress>(maxBlocks);
/** The normal GitHub themes have too little contrast on our background. */
const themes = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } as const;
const starting = createHighlighter({
  themes: Object.values(themes),
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});
const page = globalThis as unknown as Pick<Worker, 'postMessage'>;

globalThis.addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  const answer = (reply: HighlightReply) => page.postMessage(reply, { transfer: [] });
  highlight(data).then(answer, () => answer({ block: data.block, from: 0, lines: [] }));
});

async function highlight({ block, language, code }: HighlightRequest): Promise<HighlightReply> {
  const highlighter = await starting;
  if (!isKnown(language)) return { block, from: 0, lines: [] };
  await highlighter.loadLanguage(bundledLanguages[language]);

  const tokenize = (part: string, state: GrammarState | undefined) =>
    highlighter.codeToTokens(part, {
      lang: language,
      themes,
      defaultColor: false,
      ...(state && { grammarState: state }),
    });
  const before = progressOf(block, language, code);
  const whole = code.lastIndexOf('\n') + 1;
  const added: HighlightedLine[] = [];
  let { state } = before;
  if (whole > before.code.length) {
    const result = tokenize(code.slice(before.code.length, whole), state);
    // Nothing follows the last line break yet.
    added.push(...result.tokens.slice(0, -1).map(asLine));
    state = result.grammarState;
  }
  progress.set(block, { language, code: code.slice(0, whole), lines: before.lines + added.length, state });
  const last = tokenize(code.slice(whole), state).tokens.map(asLine);
  return { block, from: before.lines, lines: [...added, ...last] };
}

function isKnown(language: string): language is BundledLanguage {
  return Object.hasOwn(bundledLanguages, language);
}

function progressOf(block: number, language: string, code: string): Progress {
  const known = progress.get(block);
  if (known?.language === language && code.startsWith(known.code)) return known;
  return { language, code: '', lines: 0, state: undefined };
}

function asLine(tokens: readonly ThemedToken[]): HighlightedLine {
  return {
    text: tokens.map(({ content }) => content).join(''),
    tokens: tokens.map(({ content, htmlStyle = {} }) => ({ text: content, style: htmlStyle })),
  };
}
