// The title a session is shown under: what a person chose, else what the program made up, else a summary,
// else the first prompt.

export type TitleSource = 'custom' | 'generated' | 'summary' | 'prompt' | 'command' | 'none';

export interface TitleParts {
  readonly customTitle?: string | undefined;
  readonly aiTitle?: string | undefined;
  readonly summary?: string | undefined;
  readonly firstPrompt?: string | undefined;
  readonly firstCommand?: string | undefined;
}

export interface SessionTitle {
  readonly title: string;
  readonly source: TitleSource;
}

const MAX_TITLE = 200;

export function titleOf(parts: TitleParts): SessionTitle {
  const candidates: [TitleSource, string | undefined][] = [
    ['custom', parts.customTitle],
    ['generated', parts.aiTitle],
    ['summary', parts.summary],
    ['prompt', parts.firstPrompt],
    ['command', parts.firstCommand],
  ];
  for (const [source, text] of candidates) {
    const title = shorten(text ?? '');
    if (title !== '') return { title, source };
  }
  return { title: '', source: 'none' };
}

/** One line of at most 200 characters, never cut inside a character. */
export function shorten(text: string): string {
  // A prompt may be megabytes long: look no further than a title can reach.
  const flat = text
    .slice(0, MAX_TITLE * 8)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(flat);
  if (characters.length > MAX_TITLE)
    return `${characters
      .slice(0, MAX_TITLE - 1)
      .join('')
      .trimEnd()}…`;
  // A slice keeps the whole text alive that it was cut from; a list of titles must not.
  return text.length > MAX_TITLE * 8 ? characters.join('') : flat;
}
