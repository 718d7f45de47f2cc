// The title a session is shown under: what a person chose, else what the program made up, else a summary,
// else the first prompt.

export type TitleSource = 'custom' | 'generated' | 'summary' | 'prompt' | 'command' | 'none';

/** Each as `shorten` leaves it; a blank one does not count. */
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
/** Any white space but a single blank, which is most of it and can stay as it is. */
const unevenSpace = /[^\S ]\s*| \s+/g;

export function titleOf(parts: TitleParts): SessionTitle {
  if (parts.customTitle) return { title: parts.customTitle, source: 'custom' };
  if (parts.aiTitle) return { title: parts.aiTitle, source: 'generated' };
  if (parts.summary) return { title: parts.summary, source: 'summary' };
  if (parts.firstPrompt) return { title: parts.firstPrompt, source: 'prompt' };
  if (parts.firstCommand) return { title: parts.firstCommand, source: 'command' };
  return { title: '', source: 'none' };
}

/** One line of at most 200 characters, never cut inside one of two code units. */
export function shorten(text: string): string {
  // A prompt may be megabytes long: look no further than a title can reach.
  const flat = text
    .slice(0, MAX_TITLE * 8)
    .replace(unevenSpace, ' ')
    .trim();
  if (flat.length <= MAX_TITLE) return text.length <= MAX_TITLE * 8 ? flat : detach(flat);
  const isCutPair = /[\uD800-\uDBFF]/.test(flat.charAt(MAX_TITLE - 2));
  return detach(`${flat.slice(0, MAX_TITLE - (isCutPair ? 2 : 1)).trimEnd()}…`);
}

/** A slice keeps the whole text alive that it was cut from; a list of titles must not. */
function detach(text: string): string {
  return Buffer.from(text).toString();
}
