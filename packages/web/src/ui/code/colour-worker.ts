// Colours code away from the page: a grammar takes so long to read that whoever writes or scrolls would notice. What
// was coloured of a block stays so; only what was added since is looked at.
import {
  type BundledLanguage,
  bundledLanguages,
  createHighlighter,
  type GrammarState,
  type ThemedToken,
} from 'shiki';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import type { ColouredLine, ColourReply, ColourRequest } from './colour-wire.ts';

interface Progress {
  readonly language: string;
  /** Whole lines only. */
  readonly code: string;
  readonly lines: number;
  readonly state: GrammarState | undefined;
}

/** More blocks than are ever written at once. */
const mostBlocks = 16;
const progress = new Map<number, Progress>();
/** The plain ones are too pale to be read on the ground of code. */
const themes = { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } as const;
const starting = createHighlighter({
  themes: Object.values(themes),
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});
const page = globalThis as unknown as Pick<Worker, 'postMessage'>;

globalThis.addEventListener('message', ({ data }: MessageEvent<ColourRequest>) => {
  const answer = (reply: ColourReply) => page.postMessage(reply, { transfer: [] });
  colour(data).then(answer, () => answer({ block: data.block, from: 0, lines: [] }));
});

async function colour({ block, language, code }: ColourRequest): Promise<ColourReply> {
  const highlighter = await starting;
  if (!isKnown(language)) return { block, from: 0, lines: [] };
  await highlighter.loadLanguage(bundledLanguages[language]);

  const tokenise = (part: string, state: GrammarState | undefined) =>
    highlighter.codeToTokens(part, {
      lang: language,
      themes,
      defaultColor: false,
      ...(state && { grammarState: state }),
    });
  const before = progressOf(block, language, code);
  const whole = code.lastIndexOf('\n') + 1;
  const added: ColouredLine[] = [];
  let { state } = before;
  if (whole > before.code.length) {
    const result = tokenise(code.slice(before.code.length, whole), state);
    // After the last line break nothing follows yet.
    added.push(...result.tokens.slice(0, -1).map(asLine));
    state = result.grammarState;
  }
  keep(block, { language, code: code.slice(0, whole), lines: before.lines + added.length, state });
  const last = tokenise(code.slice(whole), state).tokens.map(asLine);
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

function keep(block: number, reached: Progress): void {
  progress.delete(block);
  progress.set(block, reached);
  for (const eldest of progress.keys()) {
    if (progress.size <= mostBlocks) break;
    progress.delete(eldest);
  }
}

function asLine(tokens: readonly ThemedToken[]): ColouredLine {
  return {
    text: tokens.map(({ content }) => content).join(''),
    tokens: tokens.map(({ content, htmlStyle = {} }) => ({ text: content, style: htmlStyle })),
  };
}
