// Splits a long Markdown text into messages at the best place available: between paragraphs or around code, otherwise
// at the end of a line or sentence, otherwise between words. A code block that must be split is closed and reopened. Pure.

/** A message is `before + body + after`. All bodies together are the unchanged text. */
export interface Piece {
  /** Reopens the code block that the last piece was cut in. */
  readonly before: string;
  readonly body: string;
  /** Closes the code block that this piece is cut in. */
  readonly after: string;
}

/** The messages to send: the pieces that are not empty, without blank lines at their edges. */
export function splitText(text: string, limit: number): readonly string[] {
  return cutIntoPieces(text, limit)
    .filter(({ body }) => body.trim() !== '')
    .map(({ before, body, after }) => {
      const opened = before === '' ? body.replace(/^(?:[ \t]*\n)+/, '') : before + body;
      return (after === '' ? opened : opened.replace(/\n$/, '') + after).trimEnd();
    });
}

/** `limit` counts UTF-16 units, as the services do. Below 32 there is no room for a fence and text. */
export function cutIntoPieces(text: string, limit: number): readonly Piece[] {
  if (limit < 32) throw new RangeError(`a limit of ${limit} units is too small`);
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
  /** The code block that is open there. */
  readonly open: Fence | undefined;
}

/** How full a piece must be for a cut at this kind of place. */
const leastFilled = { paragraph: 0.3, line: 0.5, sentence: 0.5, word: 0.5 };

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
    // The line before a code block is a good place too: moving a whole block is better than splitting it.
    if (!wasOpen && open && at > 0) paragraph = { at, open: undefined };
    if (next + closing(open).length > room) break;
    line = { at: next, open };
    if (!open && (wasOpen || content.trim() === '')) paragraph = line;
    at = next;
  }
  if (paragraph && paragraph.at >= room * leastFilled.paragraph) return paragraph;
  const isLineFull = line && line.at >= room * leastFilled.line;
  if (line && isLineFull && !isInSentence(text, line)) return line;
  const sentence = lastSentence(text.slice(0, room), openBefore);
  if (sentence >= room * leastFilled.sentence) return { at: sentence, open: undefined };
  if (line && isLineFull) return line;
  const inLine = cutInLine(text, room, openBefore);
  return inLine ?? line ?? paragraph ?? hardCut(text, room - closing(openBefore).length, openBefore);
}

/** Whether the next line continues a sentence, as in text that is wrapped. */
function isInSentence(text: string, { at, open }: Cut): boolean {
  return !open && /^[ \t]*\p{Ll}/u.test(text.slice(at, at + 100));
}

/** The end of the last sentence outside of code blocks; 0 if there is none. */
function lastSentence(text: string, openBefore: Fence | undefined): number {
  let open = openBefore;
  let end = 0;
  for (const { segment, index } of sentences.segment(text)) {
    const isCode = open !== undefined;
    open = fenceAtEnd(segment.replace(/\n$/, ''), open);
    const next = index + segment.length;
    if (!isCode && !open && next < text.length && endsSentence(segment)) end = next;
  }
  return end;
}

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const end = /\p{Sentence_Terminal}[\p{Pe}\p{Pf}"'*_]*\s*$/u;
const abbreviation = /(^|\s)(\d+|\p{L}{1,2}|(\p{L}\.)+\p{L})\.\s*$/u;

/** The segmenter also ends a sentence at every line break, and after `Dr.`, `e.g.` and `1.`. */
function endsSentence(segment: string): boolean {
  return end.test(segment) && !abbreviation.test(segment);
}

/** Cuts inside the line that does not fit. A line that opens or closes a code block is only cut as a last resort. */
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

/** Cuts between two characters as a reader sees them, unless one of them is longer than a message. */
function hardCut(text: string, room: number, open: Fence | undefined, from = 0): Cut {
  // Far enough back that the first segment starts at a real boundary in all but contrived texts.
  const start = Math.max(from, room - 512);
  const window = text.slice(start, room + 64);
  let boundary = 0;
  for (const { index } of segmenter.segment(window)) {
    if (start + index > room) break;
    boundary = index;
  }
  const at = start + boundary;
  if (at > from) return { at, open };
  const splitsPair = /[\uD800-\uDBFF]/.test(text[room - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[room] ?? '');
  return { at: Math.max(1, splitsPair ? room - 1 : room), open };
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function closing(open: Fence | undefined): string {
  return open ? `\n${open.marker}` : '';
}

/** Includes the language, unless it takes too much space from the code. */
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

/** The code block that is open after the line, given the one that was open before it. */
export function fenceAfter(line: string, open: Fence | undefined): Fence | undefined {
  const match = /^[ \t]*(`{3,}|~{3,})(.*)$/.exec(line);
  if (!match) return open;
  const [, marker = '', info = ''] = match;
  if (!open)
    return marker.startsWith('`') && info.includes('`') ? undefined : { marker, opening: line.trimEnd() };
  const closes = marker[0] === open.marker[0] && marker.length >= open.marker.length && info.trim() === '';
  return closes ? undefined : open;
}
