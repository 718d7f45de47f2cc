// The text of a report: what the person says, and facts about the server and the browser.
import type { ClientError } from './client-errors.ts';

export interface BrowserFacts {
  readonly app: string;
  readonly userAgent: string;
  readonly languages: readonly string[];
  readonly screen: string;
  readonly window: string;
  readonly theme: string;
  readonly installed: boolean;
  readonly page: string;
}

export function browserFacts(version: string, page: string, theme: string): BrowserFacts {
  const { userAgent, languages } = navigator;
  return {
    app: version,
    userAgent,
    languages: [...languages],
    screen: `${screen.width}x${screen.height} @${devicePixelRatio}`,
    window: `${innerWidth}x${innerHeight}`,
    theme,
    installed: matchMedia('(display-mode: standalone)').matches,
    page: placeOf(page),
  };
}

/** The page, without saying which conversation. */
export function placeOf(path: string): string {
  return path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, ':id').replace(/^\/(chat|recipes)\/.+/, '/$1/:id');
}

export function reportText(report: {
  readonly words: string;
  readonly heading: string;
  /** Undefined if the person may not see it, or the server didn't answer. */
  readonly server: unknown;
  readonly browser: BrowserFacts;
  readonly errors: readonly ClientError[];
}): string {
  const { words, heading, server, browser, errors } = report;
  const facts = JSON.stringify({ ...(server !== undefined && { server }), browser, errors }, undefined, 2);
  return words.trim() === '' ? `${facts}\n` : `${heading}\n\n${words.trim()}\n\n${facts}\n`;
}
