// Cuts a long Markdown text into messages, at the best place there is: between paragraphs and around code, else at
// the end of a line, else between words. A code fence that must be cut is closed and opened again. Pure.

/** A message is `before + body + after`; all bodies together are the text, unchanged. */
export interface Piece {
  /** Opens the fence again in which the last piece was cut. */
  readonly before: string;
  readonly body: string;
  /** Closes the fence in which this piece is cut. */
  readonly after: string;
}

/** The messages to send: pieces without empty ones, and without the blank lines at their borders. */
export function splitText(text: string, limit: number): readonly string[] {
  return cutIntoPieces(text, limit)
    .filter(({ body }) => body.trim() !== '')
    .map(({ before, body, after }) => {
      const opened = before === '' ? body.replace(/^(?:[ \t]*\n)+/, '') : before + body;
      return (after === '' ? opened : opened.replace(/\n$/, '') + after).trimEnd();
    });
}

/** `limit` counts UTF-16 units, as the services do; below 32 there would be no room for a fence and its text. */
export function cutIntoPieces(text: string, limit: number): readonly Piece[] {
  if (limit < 32) throw new RangeError(`a message of ${limit} units has no room`);
  const pieces: Piece[] = [];
  let rest = text;
  let open: Fence | undefined;
  while (rest !== '') {
    const before = open ? `${reopening(open, limit)}\n` : '';
    const room = limit - before.length;
    if (rest.length + closing(fenceAtEnd(rest, open)).length <= room) {
      return [...pieces, { before, body: rest, after: '' }];
    }
    const cut = findCut(rest, room, open);
    pieces.push({ before, body: rest.slice(0, cut.at), after: closing(cut.open) });
    rest = rest.slice(cut.at);
    open = cut.open;
  }
  return pieces;
}

interface Cut {
  readonly at: number;
  /** The fence that is open there. */
  readonly open: Fence | undefined;
}

/** A piece is at least so full before a worse place is taken for the sake of a fuller message. */
const leastFilled = { paragraph: 0.3, line: 0.5, word: 0.5 };

function findCut(text: string, room: number, openBefore: Fence | undefined): Cut {
  let open = openBefore;
  let paragraph: Cut | undefined;
  let line: Cut | undefined;
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const next = end === -1 ? text.length : end + 1;
    const content = text.slice(at, end === -1 ? text.length : end);
    const wasOpen = open;
    open = fenceAfter(content, open);
    // Before a line that opens a fence is a border too: better to move a block as a whole than to cut it.
    if (!wasOpen && open && at > 0) paragraph = { at, open: undefined };
    if (next + closing(open).length > room) break;
    line = { at: next, open };
    if (!open && (wasOpen || content.trim() === '')) paragraph = line;
    at = next;
  }
  if (paragraph && paragraph.at >= room * leastFilled.paragraph) return paragraph;
  if (line && line.at >= room * leastFilled.line) return line;
  const inLine = cutInLine(text, room, openBefore);
  return inLine ?? line ?? paragraph ?? hardCut(text, room - closing(openBefore).length, openBefore);
}

/** Within the line that does not fit. A line that opens or closes a fence is never cut, if anything else can be. */
function cutInLine(text: string, room: number, openBefore: Fence | undefined): Cut | undefined {
  let open = openBefore;
  let start = 0;
  for (;;) {
    const end = text.indexOf('\n', start);
    const content = text.slice(start, end === -1 ? text.length : end);
    const after = fenceAfter(content, open);
    const isFenceLine = after !== open;
    const limit = room - closing(open).length;
    if (end === -1 || end + 1 + closing(after).length > room) {
      if (isFenceLine || limit <= start) return undefined;
      const space = text.lastIndexOf(' ', limit - 1) + 1;
      if (space > start && space >= limit * leastFilled.word) return { at: space, open };
      return hardCut(text, limit, open, start);
    }
    open = after;
    start = end + 1;
  }
}

/** Between two characters as a reader sees them, where one of them is not longer than a message. */
function hardCut(text: string, room: number, open: Fence | undefined, from = 0): Cut {
  // Far enough back that the first segment starts at a real border in all but contrived texts.
  const start = Math.max(from, room - 512);
  const window = text.slice(start, room + 64);
  let border = 0;
  for (const { index } of segmenter.segment(window)) {
    if (start + index > room) break;
    border = index;
  }
  const at = start + border;
  if (at > from) return { at, open };
  const splitsPair = /[\uD800-\uDBFF]/.test(text[room - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[room] ?? '');
  return { at: Math.max(1, splitsPair ? room - 1 : room), open };
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function closing(open: Fence | undefined): string {
  return open ? `\n${open.marker}` : '';
}

/** With its language, unless that is so long that it would crowd out the code. */
function reopening(open: Fence, limit: number): string {
  return open.opening.length <= limit / 4 ? open.opening : open.marker.slice(0, 3);
}

function fenceAtEnd(text: string, open: Fence | undefined): Fence | undefined {
  return text.split('\n').reduce<Fence | undefined>((fence, line) => fenceAfter(line, fence), open);
}

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
