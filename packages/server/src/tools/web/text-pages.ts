// Cuts a long text into pages, at the ends of paragraphs or lines where there are any. Pure.

export interface TextPage {
  readonly text: string;
  /** From 1 on. */
  readonly number: number;
  readonly count: number;
}

/** Undefined when there is no such page. */
export function pageOf(text: string, number: number, maxChars: number): TextPage | undefined {
  const pages = cut(text, maxChars);
  const page = pages[number - 1];
  return page === undefined ? undefined : { text: page, number, count: pages.length };
}

export function pageCount(text: string, maxChars: number): number {
  return cut(text, maxChars).length;
}

function cut(text: string, maxChars: number): readonly string[] {
  const pages: string[] = [];
  let start = 0;
  while (text.length - start > maxChars) {
    const end = start + goodEnd(text.slice(start, start + maxChars));
    pages.push(text.slice(start, end));
    start = end;
  }
  return [...pages, text.slice(start)];
}

/** No page is left less than half full for the sake of a better end. */
function goodEnd(piece: string): number {
  for (const gap of ['\n\n', '\n', ' ']) {
    const at = piece.lastIndexOf(gap);
    if (at > piece.length / 2) return at + gap.length;
  }
  // Not between the halves of one character.
  return /[\uD800-\uDBFF]$/.test(piece) ? piece.length - 1 : piece.length;
}
