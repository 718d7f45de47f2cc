// The title of a session: what a person chose, else what the program generated, else a summary or the first prompt.

export type TitleSource = 'custom' | 'generated' | 'summary' | 'prompt' | 'command' | 'none';

/** Each as returned by `shorten`; blank ones do not count. */
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
/** All white space except single spaces, which can stay. */
const unevenSpace = /[^\S ]\s*| \s+/g;

export function titleOf(parts: TitleParts): SessionTitle {
  if (parts.customTitle) return { title: parts.customTitle, source: 'custom' };
  if (parts.aiTitle) return { title: parts.aiTitle, source: 'generated' };
  if (parts.summary) return { title: parts.summary, source: 'summary' };
  if (parts.firstPrompt) return { title: parts.firstPrompt, source: 'prompt' };
  if (parts.firstCommand) return { title: parts.firstCommand, source: 'command' };
  return { title: '', source: 'none' };
}

/** One line of at most 200 characters, never cut inside a surrogate pair. */
export function shorten(text: string): string {
  // A prompt may be megabytes long. Don't read more than a title can need.
  const flat = text
    .slice(0, MAX_TITLE * 8)
    .replace(unevenSpace, ' ')
    .trim();
  if (flat.length <= MAX_TITLE) return text.length <= MAX_TITLE * 8 ? flat : detach(flat);
  const isCutPair = /[\uD800-\uDBFF]/.test(flat.charAt(MAX_TITLE - 2));
  return detach(`${flat.slice(0, MAX_TITLE - (isCutPair ? 2 : 1)).trimEnd()}…`);
}

/** Copies a text: a slice would keep the whole prompt in memory. */
function detach(text: string): string {
  return Buffer.from(text).toString();
}
