// Code fences of Markdown, line by line: which line opens one, which closes it. Pure.

export interface Fence {
  /** The backticks or tildes. */
  readonly marker: string;
  /** The whole line that opened it, with its language. */
  readonly opening: string;
}

/** The fence that is open after the line, given the one that was open before it. */
export function fenceAfter(line: string, open: Fence | undefined): Fence | undefined {
  const match = /^[ \t]*(`{3,}|~{3,})(.*)$/.exec(line);
  if (!match) return open;
  const [, marker = '', info = ''] = match;
  if (!open)
    return marker.startsWith('`') && info.includes('`') ? undefined : { marker, opening: line.trimEnd() };
  const closes = marker[0] === open.marker[0] && marker.length >= open.marker.length && info.trim() === '';
  return closes ? undefined : open;
}
